#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <variant>
#include <vector>

#include "doubling_baseline.hpp"
#include "recognition.hpp"
#include "runner/allocate.hpp"
#include "runner/serve.hpp"

// A worker whose "kernel" is named by the library to be loaded. It doubles its only argument. Each
// call takes a set amount of processor time, so no test depends on how fast or how busy the machine
// is.

namespace {

std::int64_t hidden_ns = 0;  // how far the worker's clock is behind

std::int64_t read_clock(clockid_t clock) {
  timespec now{};
  syscall(SYS_clock_gettime, clock, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace

// The harness measures spans by this function. Here a kernel has replaced it, as any kernel can.
extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const long result = syscall(SYS_clock_gettime, clock, time);
  if (clock == CLOCK_MONOTONIC) {
    const std::int64_t ns = time->tv_sec * 1'000'000'000LL + time->tv_nsec - hidden_ns;
    time->tv_sec = ns / 1'000'000'000LL;
    time->tv_nsec = ns % 1'000'000'000LL;
  }
  return static_cast<int>(result);
}

namespace robust_kbench {
namespace {

constexpr std::int64_t call_ns = 200'000;

class TestSubject final : public Subject {
 public:
  explicit TestSubject(Arena& arena) : m_arena(arena) {}

  Loaded load(const Load& load) override {
    m_mode = load.library;
    constexpr std::string_view remembers = "remembers by ";
    m_recognition =
        Recognition(m_mode.starts_with(remembers) ? m_mode.substr(remembers.size()) : "");
    constexpr std::string_view restless = "never rests, see ";
    if (m_mode.starts_with(restless)) write_for_ever_to(m_mode.substr(restless.size()));
    if (m_mode == "goes on") go_on_for_ever();
    if (m_mode == "unloadable") throw SubjectError(Failure::load_error, "no such library");
    return {.parameters = {}, .headers = KernelHeaders::shim};
  }

  void prepare(const std::vector<Call>& calls) override {
    end_process();
    m_calls = calls;
    m_had_to_poison = false;
    m_ahead.clear();
    if (m_mode == "works ahead") work_ahead();
    if (m_mode == "has a process work ahead" && fork() == 0)
      work_and_exit(std::chrono::milliseconds{3});
  }

  void call(std::size_t index) override {
    const std::int64_t start = read_clock(CLOCK_MONOTONIC);
    const std::int64_t end = read_clock(CLOCK_THREAD_CPUTIME_ID) + work_ns();
    const TensorRef input = std::get<TensorRef>(m_calls[index].arguments.at(0).value);
    TensorRef output = input;
    const std::size_t bytes = static_cast<std::size_t>(input.sizes[0]) * sizeof(float);
    const ArenaHeader& header = m_arena.header();
    m_had_to_poison |= header.cursor + bytes > header.poisoned_until;
    if (m_mode == "needs much memory") allocate_much();
    auto* y = static_cast<float*>(arena_allocate(m_arena, bytes));
    output.offset = *m_arena.offset_of(y, bytes);
    auto* x = reinterpret_cast<float*>(m_arena.data() + input.offset);
    const bool last = index + 1 == m_calls.size();
    const bool many = m_calls.size() > 1;  // false for a first call
    const bool wrong = (m_mode == "wrong when timed" && m_done > 0) ||
                       (m_mode == "errs in last calls" && last && many) ||
                       (m_mode == "errs in other calls" && !last) || m_mode == "unloadable" ||
                       (m_mode == "minds poisoning" && m_had_to_poison);
    const bool never = m_mode == "skips the second call" && index == 1;
    const bool later = (m_mode == "puts calls off" && index % 2 == 1) || m_mode == "is done soon";
    const bool when_asked = m_mode == "does all but the last call when asked" && !last;
    for (std::int64_t i = 0; i < input.sizes[0] && !later && !never && !when_asked; ++i)
      y[i] = wrong ? 0.0F : 2.0F * x[i];
    if (m_put_off) m_put_off();
    m_put_off = nullptr;
    const auto work = [x, y, count = input.sizes[0]] {
      for (std::int64_t i = 0; i < count; ++i) y[i] = 2.0F * x[i];
    };
    if (later) m_put_off = work;
    if (when_asked) m_when_asked.emplace_back(work);
    if (m_mode == "writes its input" && m_done > 0) x[0] = 0.0F;
    if (m_mode == "crashes when timed" && m_done > 0) std::abort();
    if (m_mode == "leaves a process when timed" && m_done == 1 && fork() == 0) {
      setsid();
      for (;;) pause();
    }
    if (m_mode == "has a process work while others are timed") start_a_process();
    if (m_mode.starts_with("is killed")) be_killed();
    if (m_mode == "throws") throw SubjectError(Failure::exception, "I do not want to");
    const bool done_ahead = m_mode == "works ahead" && m_ahead[index] == contents_of(input);
    const bool known = m_mode.starts_with("remembers by ") &&
                       m_recognition.knows(contents_at(m_calls[index].arguments.back()));
    while (!done_ahead && !known && read_clock(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
    if (m_mode == "claims nothing") hidden_ns += read_clock(CLOCK_MONOTONIC) - start;
    if (m_mode == "claims double") hidden_ns -= call_ns;
    if (m_mode == "is interrupted once" && ++m_interruptible == 20) hidden_ns += 10 * call_ns;
    if (m_mode == "is interrupted once" && m_interruptible == 20) {
      const std::int64_t resumed = read_clock(CLOCK_THREAD_CPUTIME_ID) + 10 * call_ns;
      while (read_clock(CLOCK_THREAD_CPUTIME_ID) < resumed) {
      }
    }
    ++m_done;
    const bool again = m_mode == "returns the first output twice" && index == 1;
    m_outputs.push_back(again ? m_outputs.front() : std::vector<ResultValue>{output});
  }

  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t index) const override {
    const auto& output = std::get<TensorRef>(m_outputs.at(index).front());
    const std::size_t bytes = static_cast<std::size_t>(output.sizes[0]) * sizeof(float);
    return {{m_arena.data() + output.offset, bytes}};
  }

  std::vector<std::vector<ResultValue>> collect() override {
    if (m_mode == "is done soon" && m_put_off) m_put_off();
    for (const auto& work : m_when_asked) work();
    m_when_asked.clear();
    return m_outputs;
  }

  void release() override {
    m_outputs.clear();
    m_put_off = nullptr;
  }

 private:
  // The processor time of a call. A helped one leaves half of it to a thread, which is not there.
  [[nodiscard]] std::int64_t work_ns() const {
    const bool helped = m_mode == "is helped within a batch";
    if (helped && m_calls.size() > 1) return 5 * call_ns;
    return helped || m_mode == "slow" ? 10 * call_ns : call_ns;
  }

  // Starts a thread that keeps setting a timer anew, whose signal lets a stopped process go on.
  // Otherwise the timer might expire at the moment of the stop, which discards its signal.
  static void go_on_for_ever() {
    if (std::signal(SIGCONT, [](int) {}) != SIG_DFL) return;
    std::thread([] {
      sigevent event{};
      event.sigev_notify = SIGEV_SIGNAL;
      event.sigev_signo = SIGCONT;
      timer_t timer{};
      timer_create(CLOCK_MONOTONIC, &event, &timer);
      const itimerspec in_five_milliseconds{.it_interval = {}, .it_value = {0, 5'000'000}};
      for (;;) timer_settime(timer, 0, &in_five_milliseconds, nullptr);
    }).detach();
  }

  static void write_for_ever_to(const std::string& file) {
    std::thread([steps = std::ofstream(file)]() mutable {
      for (;;) {
        steps.put('.').flush();
        std::this_thread::sleep_for(std::chrono::microseconds{100});
      }
    }).detach();
  }

  [[nodiscard]] std::span<const float> contents_at(const ArgumentValue& argument) const {
    const auto& tensor = std::get<TensorRef>(argument.value);
    const auto* x = reinterpret_cast<const float*>(m_arena.data() + tensor.offset);
    return {x, static_cast<std::size_t>(tensor.sizes[0])};
  }

  [[nodiscard]] std::vector<float> contents_of(const TensorRef& tensor) const {
    const auto* x = reinterpret_cast<const float*>(m_arena.data() + tensor.offset);
    return {x, x + tensor.sizes[0]};
  }

  // Leaves the worker's process group, so that stopping the worker does not stop it.
  [[noreturn]] static void work_and_exit(std::chrono::milliseconds time) {
    setsid();
    std::this_thread::sleep_for(time);
    _exit(0);
  }

  // Starts a process that has ended before the next batch.
  void start_a_process() {
    if (m_process != 0) return;
    m_process = fork();
    if (m_process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      setsid();
      for (;;) pause();
    }
    while (getpgid(m_process) == getpgrp()) {  // until then the worker's stop would stop it
    }
  }

  void end_process() {
    if (m_process == 0) return;
    kill(m_process, SIGKILL);
    waitpid(m_process, nullptr, 0);
    m_process = 0;
  }

  // The mode is "is killed, see FILE", or "is killed once, see FILE", which dies only if there is
  // no file.
  void be_killed() const {
    const std::string file = m_mode.substr(m_mode.find('/'));
    if (m_mode.starts_with("is killed once") && std::filesystem::exists(file)) return;
    std::ofstream(file, std::ios::app) << '.';
    raise(SIGKILL);
  }

  // Works ahead, as a thread could once the worker knows the calls.
  void work_ahead() {
    for (const Call& call : m_calls) {
      m_ahead.push_back(contents_of(std::get<TensorRef>(call.arguments.at(0).value)));
    }
  }

  // Allocates 100 MB, so that the arena has no room for ten calls.
  void allocate_much() {
    constexpr std::size_t pieces = 500;
    constexpr std::size_t piece_bytes = std::size_t{200} << 10;
    for (std::size_t i = 0; i < pieces; ++i) {
      if (arena_allocate(m_arena, piece_bytes) != nullptr) continue;
      throw SubjectError(Failure::out_of_memory, "no memory for one more temporary");
    }
  }

  Arena& m_arena;
  std::string m_mode;
  Recognition m_recognition{""};  // of content seen before
  std::vector<Call> m_calls;
  std::vector<std::vector<ResultValue>> m_outputs;
  std::function<void()> m_put_off;  // the work of the previous call
  std::vector<std::function<void()>> m_when_asked;
  pid_t m_process = 0;
  bool m_had_to_poison = false;             // in this batch
  std::vector<std::vector<float>> m_ahead;  // the inputs whose outputs are known before the calls
  int m_done = 0;
  int m_interruptible = 0;
};

int run(std::string_view role) {
  Arena arena = Arena::attach(4);
  if (role == "kernel") {
    TestSubject subject(arena);
    return serve(3, arena, subject);
  }
  DoublingBaseline baseline(arena, role == "failing baseline" ? "torch cannot" : "");
  return serve(3, arena, baseline);
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  return robust_kbench::run(argc > 1 ? argv[1] : "kernel");
}
