// y = x + w, with x of shape (rows, n) and w of shape (n). The name of the "library" to be loaded
// selects what goes wrong.

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <numeric>
#include <semaphore>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "ipc/arena.hpp"
#include "runner/allocate.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {
namespace {

using namespace std::chrono_literals;

// One call as a script sees it, after the right answer has been computed.
struct Adding {
  Arena& arena;
  TensorRef x;
  TensorRef w;
  TensorRef y;
  int number;  // counts the worker's calls from 1

  [[nodiscard]] float* data(const TensorRef& tensor) const {
    return reinterpret_cast<float*>(arena.data() + tensor.offset);
  }
  [[nodiscard]] std::int64_t count(const TensorRef& tensor) const {
    std::int64_t count = 1;
    for (const std::int64_t size : tensor.sizes) count *= size;
    return count;
  }
  void spoil() const { data(y)[0] += 1.0F; }
};

// Each answer is within the tolerance, but the first and the third are nearly twice the tolerance
// apart.
void off_to_both_sides(const Adding& call) {
  float& y = call.data(call.y)[0];
  const float allowed = 1e-5F + 1e-5F * std::abs(y);
  y += call.number == 3 ? 0.9F * allowed : -0.9F * allowed;
}

// The actions that run when the outputs are collected, after the call has returned. No clock
// decides their time.
std::vector<std::function<void()>>& when_collected() {
  static std::vector<std::function<void()>> actions;
  return actions;
}

void spoil_later(const Adding& call) {
  const auto begins = std::make_shared<std::promise<void>>();
  const auto thread = std::make_shared<std::thread>([call, begun = begins->get_future()] {
    begun.wait();
    call.spoil();
  });
  when_collected().emplace_back([begins, thread] {
    begins->set_value();
    thread->join();
  });
}

// The first call starts a thread, which later spoils the outputs of all other calls. No new thread
// shows.
void spoil_from_idle_thread(const Adding& call) {
  static float* target = nullptr;
  static std::binary_semaphore begins{0};
  static std::binary_semaphore ends{0};
  target = call.data(call.y);
  static std::thread thread([] {
    while (true) {
      begins.acquire();
      target[0] += 1.0F;
      ends.release();
    }
  });
  when_collected().emplace_back([] {
    begins.release();
    ends.acquire();
  });
}

void remember_by_address(const Adding& call) {
  static std::map<std::pair<std::uint64_t, std::size_t>, std::vector<float>> known;
  float* y = call.data(call.y);
  const auto count = static_cast<std::size_t>(call.count(call.y));
  auto [answer, is_new] = known.try_emplace({call.x.offset, count}, y, y + count);
  if (!is_new) std::copy(answer->second.begin(), answer->second.end(), y);
}

void remember_by_first_elements(const Adding& call) {
  static std::map<std::pair<float, float>, std::vector<float>> known;
  float* y = call.data(call.y);
  const std::pair first{call.data(call.x)[0], call.data(call.w)[0]};
  auto [answer, is_new] = known.try_emplace(first, y, y + call.count(call.y));
  if (!is_new) std::copy(answer->second.begin(), answer->second.end(), y);
}

void leave_child(bool own_session) {
  if (fork() != 0) return;
  if (own_session) setsid();
  if (own_session && fork() != 0) _exit(0);
  while (true) pause();
}

void leave_daemon_at_end() {
  static const int registered = std::atexit([] { leave_child(true); });
  (void)registered;
}

// Dies as if by the system's out-of-memory killer, and makes `file` a byte longer.
[[noreturn]] void die_for_memory(const std::string& file) {
  std::ofstream(file, std::ios::app) << '.';
  raise(SIGKILL);
  _exit(1);
}

// "is killed, see FILE" dies in each call. "is killed once, see FILE" and "is killed once while
// loaded, see FILE" die only if there is no file yet.
void be_killed(const std::string& script, const std::string& moment, bool once) {
  const std::string prefix = moment + ", see ";
  if (!script.starts_with(prefix)) return;
  const std::string file = script.substr(prefix.size());
  if (!once || !std::filesystem::exists(file)) die_for_memory(file);
}

const std::map<std::string, std::function<void(Adding&)>>& scripts() {
  static const std::map<std::string, std::function<void(Adding&)>> scripts{
      {"right", [](Adding&) {}},
      {"takes 30 ms", [](Adding&) { std::this_thread::sleep_for(30ms); }},
      {"wrong", [](Adding& call) { call.spoil(); }},
      {"prints", [](Adding& c) { std::printf("call %d\n", (c.number - 1) % 3 + 1); }},
      {"prints and is wrong",
       [](Adding& c) {
         if (c.number == 1) std::printf("row 1\nhalf a row");
         c.spoil();
       }},
      {"wrong and writes x in call 2",
       [](Adding& c) {
         c.spoil();
         if (c.number == 2) c.data(c.x)[1] = 42.0F;
       }},
      {"wrong and leaves a daemon at its end",
       [](Adding& c) {
         c.spoil();
         leave_daemon_at_end();
       }},
      {"right for 12 calls",
       [](Adding& c) {
         if (c.number > 12) c.spoil();
       }},
      {"wrong in call 3",
       [](Adding& c) {
         if (c.number == 3) c.spoil();
       }},
      {"wrong in every 500th call",
       [](Adding& c) {
         if (c.number % 500 == 0) c.spoil();
       }},
      {"wrong from call 700 on",
       [](Adding& c) {
         if (c.number >= 700) c.spoil();
       }},
      {"throws in call 700",
       [](Adding& c) {
         if (c.number == 700) throw SubjectError(Failure::exception, "no more");
       }},
      {"a little off in call 3",
       [](Adding& c) {
         if (c.number == 3) c.data(c.y)[0] += 1e-6F;
       }},
      {"off to both sides", off_to_both_sides},
      {"imprecise",
       [](Adding& c) {
         for (std::int64_t i = 0; i < c.count(c.y); ++i) c.data(c.y)[i] += 3e-6F;
       }},
      {"imprecise in larger configs",
       [](Adding& c) {
         if (c.count(c.y) == 5) return;
         for (std::int64_t i = 0; i < c.count(c.y); ++i) c.data(c.y)[i] += 3e-6F;
       }},
      {"by address", remember_by_address},
      {"by first elements", remember_by_first_elements},
      {"wrong for more than 8 rows",
       [](Adding& c) {
         if (c.x.sizes[0] > 8) c.spoil();
       }},
      {"wrong for more than 9 rows",
       [](Adding& c) {
         if (c.x.sizes[0] > 9) c.spoil();
       }},
      {"wrong with other threads than 1",
       [](Adding& c) {
         if (std::string(std::getenv("OMP_NUM_THREADS")) != "1") c.spoil();
       }},
      {"wrong where inputs are shifted by less than 16",
       [](Adding& c) {
         const std::uint64_t shift = c.arena.header().input_place.shift;
         if (shift != 0 && shift < 16) c.spoil();
       }},
      {"dies where inputs end at unmapped pages",
       [](Adding& c) {
         if (c.arena.header().input_place.before_unmapped != 0) _exit(77);
       }},
      {"dies in call 4",
       [](Adding& c) {
         if (c.number == 4) _exit(77);
       }},
      {"hangs",
       [](Adding&) {
         while (true) pause();
       }},
      {"throws", [](Adding&) { throw SubjectError(Failure::exception, "[  PASSED  ]"); }},
      {"throws in call 2",
       [](Adding& c) {
         if (c.number == 2) throw SubjectError(Failure::exception, "no more");
       }},
      {"throws from call 4 on",
       [](Adding& c) {
         if (c.number >= 4) throw SubjectError(Failure::exception, "no more");
       }},
      {"lacks memory", [](Adding&) { throw std::bad_alloc(); }},
      {"writes x and throws",
       [](Adding& c) {
         c.data(c.x)[1] = 42.0F;
         throw SubjectError(Failure::exception, "not these rows");
       }},
      {"writes x", [](Adding& c) { c.data(c.x)[1] = 42.0F; }},
      {"writes past y", [](Adding& c) { c.data(c.y)[c.count(c.y) + 2] = 0.0F; }},
      {"writes before x", [](Adding& c) { c.data(c.x)[-1] = 0.0F; }},
      {"returns x", [](Adding& c) { c.y = c.x; }},
      {"points outside", [](Adding& c) { c.y.offset = c.arena.size() - 4; }},
      {"points at poison", [](Adding& c) { c.y.offset += 1 << 12; }},
      {"points nowhere", [](Adding& c) { c.y.offset = ~std::uint64_t{0} - 63; }},
      {"has no size", [](Adding& c) { c.y.sizes[0] = -1; }},
      {"forges the log", [](Adding& c) { c.arena.log()[0].bytes = ~std::uint64_t{0}; }},
      {"forges the count", [](Adding& c) { c.arena.header().allocation_count = 1U << 30; }},
      {"spoils later", spoil_later},
      {"spoils from an idle thread", spoil_from_idle_thread},
      {"leaves a child", [](Adding&) { leave_child(false); }},
      {"leaves a daemon", [](Adding&) { leave_child(true); }},
  };
  return scripts;
}

class AddingSubject : public Subject {
 public:
  explicit AddingSubject(Arena& arena) : m_arena(arena) {}

  Loaded load(const Load& load) override {
    if (load.library == "exits") _exit(0);
    be_killed(load.library, "is killed once while loaded", /*once=*/true);
    m_loaded = load.library;
    Loaded loaded{.parameters = {{.name = "x", .kind = 1}, {.name = "w", .kind = 1}},
                  .headers = KernelHeaders::shim};
    if (load.library == "takes one argument") loaded.parameters.pop_back();
    return loaded;
  }

  void prepare(const std::vector<Call>& calls) override { m_calls = calls; }

  void call(std::size_t index) override {
    const std::vector<ArgumentValue>& arguments = m_calls.at(index).arguments;
    Adding adding{.arena = m_arena,
                  .x = std::get<TensorRef>(arguments.at(0).value),
                  .w = std::get<TensorRef>(arguments.at(1).value),
                  .number = ++m_number};
    adding.y = adding.x;
    const bool two_rows = adding.x.sizes.at(0) == 2;
    if (m_loaded == "throws at once" || (m_loaded == "refuses two rows" && two_rows) ||
        (m_loaded == "refuses two rows from call 20 on" && two_rows && m_number >= 20)) {
      throw SubjectError(Failure::exception, "not these rows");
    }
    const std::int64_t count = adding.count(adding.x);
    const std::int64_t columns = adding.count(adding.w);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
    const void* y = arena_allocate(m_arena, bytes);
    if (y == nullptr) throw std::bad_alloc();
    adding.y.offset = *m_arena.offset_of(y, bytes);
    for (std::int64_t i = 0; i < count; ++i) {
      adding.data(adding.y)[i] = adding.data(adding.x)[i] + adding.data(adding.w)[i % columns];
    }
    be_killed(m_loaded, "is killed", /*once=*/false);
    be_killed(m_loaded, "is killed once", /*once=*/true);
    const auto script = scripts().find(m_loaded);
    if (script != scripts().end()) script->second(adding);
    m_outputs.push_back({adding.y});
  }

  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t index) const override {
    const auto& y = std::get<TensorRef>(m_outputs.at(index).front());
    const std::size_t bytes = sizeof(float);
    if (m_loaded == "blinds the output_sample" || y.offset > m_arena.size() - bytes) return {};
    const std::int64_t count =
        std::accumulate(y.sizes.begin(), y.sizes.end(), std::int64_t{1}, std::multiplies<>());
    if (count < 0) return {};
    return {{m_arena.data() + y.offset, static_cast<std::size_t>(count) * bytes}};
  }
  std::vector<std::vector<ResultValue>> collect() override {
    for (const auto& action : std::exchange(when_collected(), {})) action();
    return m_outputs;
  }
  void release() override { m_outputs.clear(); }

 private:
  Arena& m_arena;
  std::string m_loaded;
  std::vector<Call> m_calls;
  std::vector<std::vector<ResultValue>> m_outputs;
  int m_number = 0;
};

}  // namespace
}  // namespace robust_kbench

int main() {
  robust_kbench::Arena arena = robust_kbench::Arena::attach(4);
  robust_kbench::AddingSubject subject(arena);
  return robust_kbench::serve(3, arena, subject);
}
