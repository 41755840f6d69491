#include "exec/worker_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/error.hpp"
#include "core/seed.hpp"
#include "exec/channel.hpp"
#include "exec/descriptor.hpp"
#include "exec/processes.hpp"
#include "exec/spawn.hpp"
#include "exec/threads.hpp"
#include "exec/worker_end.hpp"
#include "exec/worker_files.hpp"
#include "exec/worker_launch.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

// How long a worker may take to exit once asked, or once it has closed its channel.
constexpr std::chrono::seconds exit_grace{2};

constexpr std::chrono::microseconds settle_interval{200};

constexpr std::size_t stderr_tail_bytes = 2000;

std::string seconds(std::chrono::milliseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", std::chrono::duration<double>(time).count());
  return text.data();
}

std::string new_marker() {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "RKB_WORKER=%016llx",
                static_cast<unsigned long long>(secret_key()));
  return text.data();
}

}  // namespace

struct WorkerProcess::State {
  explicit State(const WorkerOptions& worker_options)
      : options(worker_options), arena(Arena::create(options.arena_bytes)) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      throw HarnessError(std::string("cannot make a channel: ") + std::strerror(errno));
    }
    channel = Descriptor(ends[0]);
    const Descriptor theirs(ends[1]);
    options.arena_bytes = arena.size();
    const std::string marker = new_marker();
    pid = spawn(launch_options(options, files, marker, theirs.get(), arena.fd()));
    register_child(pid);
    family.emplace(pid, marker);
    process = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    if (process.get() < 0) {
      finish();
      throw HarnessError(std::string("pidfd_open: ") + std::strerror(errno));
    }
  }

  ~State() { finish(); }

  // What the worker's answer to one request is.
  Outcome<json> request(const char* name, const json& body, const char* expected);

  // The answer to a request as `convert` reads it; malformed where that throws HarnessError.
  template <typename Answer, typename Convert>
  Outcome<Answer> ask(const char* name, const json& body, const char* expected, Convert convert) {
    Outcome<json> outcome = request(name, body, expected);
    if (auto* failed = std::get_if<Failed>(&outcome)) return std::move(*failed);
    if (auto* over = std::get_if<WorkerEnd>(&outcome)) return std::move(*over);
    try {
      return convert(std::get<json>(outcome));
    } catch (const HarnessError& error) {
      return malformed(name, error.what());
    }
  }

  bool exited(Clock::time_point deadline);
  // Lets the worker exit by itself if it does so in time, then ends it.
  void ask_to_exit();
  // Kills and reaps the worker and all that it started.
  void finish();

  WorkerOptions options;
  WorkerFiles files;
  Arena arena;
  Descriptor channel;
  Descriptor process;  // pidfd: readable once the worker has exited
  pid_t pid = 0;
  std::optional<Family> family;
  FrameReader reader{max_answer_bytes};
  std::optional<WorkerEnd> end;
  std::uint64_t wall_ns = 0;  // of the last request
  int wait_status = 0;
  int left = 0;  // processes that had to be killed after the worker's end
  bool finished = false;
  int restless_threads = 0;  // that did not park within the limit
  std::size_t bytes_per_call = 0;

 private:
  // Why an exchange did not come to its end.
  enum class Stop { none, exited, closed, late };

  Stop wait_for(short events, Clock::time_point deadline);
  Stop send_all(std::string_view bytes, Clock::time_point deadline);
  Stop receive(Clock::time_point deadline);
  WorkerEnd ended(Stop stop, const char* request);
  WorkerEnd malformed(const char* request, const std::string& what);
};

WorkerProcess::State::Stop WorkerProcess::State::wait_for(short events,
                                                          Clock::time_point deadline) {
  while (true) {
    const auto left_ms =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left_ms <= 0) return Stop::late;
    std::array<pollfd, 2> fds{{{channel.get(), events, 0}, {process.get(), POLLIN, 0}}};
    const int ready = poll(fds.data(), fds.size(), static_cast<int>(left_ms));
    if (ready < 0 && errno != EINTR)
      throw HarnessError(std::string("poll: ") + std::strerror(errno));
    if (ready <= 0) continue;
    if ((fds[0].revents & events) != 0) return Stop::none;
    if (fds[1].revents != 0) return Stop::exited;
    if (fds[0].revents != 0) return Stop::closed;
  }
}

WorkerProcess::State::Stop WorkerProcess::State::send_all(std::string_view bytes,
                                                          Clock::time_point deadline) {
  while (!bytes.empty()) {
    const ssize_t n = send(channel.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      if (const Stop stop = wait_for(POLLOUT, deadline); stop != Stop::none) return stop;
    } else if (errno != EINTR) {
      return Stop::closed;
    }
  }
  return Stop::none;
}

WorkerProcess::State::Stop WorkerProcess::State::receive(Clock::time_point deadline) {
  std::array<char, 1 << 14> buffer;  // NOLINT(*-member-init): recv fills it, between two clocks
  while (!reader.complete()) {
    const ssize_t n = recv(channel.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n > 0) {
      reader.append({buffer.data(), static_cast<std::size_t>(n)});
    } else if (n < 0 && errno == EAGAIN) {
      if (const Stop stop = wait_for(POLLIN, deadline); stop != Stop::none) return stop;
    } else if (n == 0 || errno != EINTR) {
      return Stop::closed;
    }
  }
  return Stop::none;
}

Outcome<json> WorkerProcess::State::request(const char* name, const json& body,
                                            const char* expected) {
  if (end) return *end;
  const std::uint64_t nonce = secret_key();
  const std::string bytes = frame({{"request", name}, {"nonce", nonce}, {"body", body}});
  try {
    const auto start = Clock::now();
    const auto deadline = start + options.limits.call_timeout;
    Stop stop = send_all(bytes, deadline);
    if (stop == Stop::none) stop = receive(deadline);
    wall_ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - start).count());
    if (stop != Stop::none) return ended(stop, name);

    json answer = reader.take();
    if (!answer.is_object() || answer.value("nonce", json()) != nonce || !reader.empty()) {
      return malformed(name, "it answers a request that was not made");
    }
    const json kind = answer.value("answer", json());
    json result = answer.value("body", json());
    if (kind == "failed") {
      auto failed = result.get<Failed>();
      failed.message = escaped(failed.message);
      return failed;
    }
    if (kind != expected) return malformed(name, "another answer was expected");
    return result;
  } catch (const HarnessError& error) {
    return malformed(name, error.what());
  }
}

WorkerEnd WorkerProcess::State::ended(Stop stop, const char* request) {
  const bool late = stop == Stop::late;
  const bool lingers = stop == Stop::closed && !exited(Clock::now() + exit_grace);
  finish();
  const std::string tail = files.errors_tail(stderr_tail_bytes);
  if (late) {
    const std::string limit = seconds(options.limits.call_timeout);
    end = {Verdict::timeout,
           with_stderr("no answer within " + limit + " " + std::string(moment_of(request)), tail)};
  } else if (lingers) {
    end = {Verdict::crash, with_stderr("closed its channel and lived on", tail)};
  } else {
    end = describe_end(wait_status, request, tail);
  }
  return *end;
}

WorkerEnd WorkerProcess::State::malformed(const char* request, const std::string& what) {
  finish();
  end = {Verdict::crash, with_stderr("sent a malformed message " + std::string(moment_of(request)) +
                                         ": " + escaped(what),
                                     files.errors_tail(stderr_tail_bytes))};
  return *end;
}

bool WorkerProcess::State::exited(Clock::time_point deadline) {
  pollfd fd{process.get(), POLLIN, 0};
  const auto left_ms =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return poll(&fd, 1, std::max(0, static_cast<int>(left_ms))) > 0;
}

void WorkerProcess::State::ask_to_exit() {
  const std::string bytes =
      frame({{"request", "stop"}, {"nonce", secret_key()}, {"body", nullptr}});
  const auto deadline = Clock::now() + exit_grace;
  family->living();  // to know them once they are orphans
  if (send_all(bytes, deadline) != Stop::late) exited(deadline);
  finish();
  end = {Verdict::crash, "was asked to exit"};
}

void WorkerProcess::State::finish() {
  if (finished) return;
  finished = true;
  family->living();  // to know them once they are orphans
  kill(pid, SIGKILL);
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  left = family->exterminate();
  waitpid(pid, &wait_status, 0);
  unregister_child(pid);
  channel.reset();
}

WorkerProcess::WorkerProcess(const WorkerOptions& options)
    : m_state(std::make_unique<State>(options)) {}

WorkerProcess::~WorkerProcess() = default;

Arena& WorkerProcess::arena() {
  return m_state->arena;
}
int WorkerProcess::pid() const {
  return m_state->pid;
}

bool WorkerProcess::alive() const {
  return !m_state->finished && !m_state->exited(Clock::now());
}

int WorkerProcess::thread_count() const {
  return m_state->finished ? 0 : robust_kbench::thread_count(m_state->pid);
}

void WorkerProcess::settle(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (alive()) {
    const int threads = thread_count();
    if (threads <= m_state->restless_threads || threads_parked(m_state->pid)) return;
    if (Clock::now() >= deadline) {
      m_state->restless_threads = threads;
      return;
    }
    std::this_thread::sleep_for(settle_interval);
  }
}

int WorkerProcess::child_count() {
  return m_state->finished ? 0 : m_state->family->living();
}

Outcome<Loaded> WorkerProcess::load(const Load& load) {
  m_state->bytes_per_call = 0;
  return m_state->ask<Loaded>("load", load, "loaded", [](const json& body) {
    auto loaded = body.get<Loaded>();
    for (Loaded::Parameter& parameter : loaded.parameters) {
      parameter.name = escaped(parameter.name);
    }
    if (loaded.headers != "slim" && loaded.headers != "torch") {
      throw HarnessError("headers are neither 'slim' nor 'torch'");
    }
    return loaded;
  });
}

Outcome<Done> WorkerProcess::prepare(const std::vector<Call>& calls) {
  return m_state->ask<Done>("prepare", calls, "prepared", [](const json&) { return Done{}; });
}

Outcome<Ran> WorkerProcess::run() {
  return m_state->ask<Ran>("run", nullptr, "ran",
                           [this](const json&) { return Ran{m_state->wall_ns}; });
}

Outcome<std::vector<CallResult>> WorkerProcess::collect(std::size_t call_count) {
  using Results = std::vector<CallResult>;
  return m_state->ask<Results>("collect", nullptr, "results", [&](const json& body) {
    if (!body.is_array() || body.size() != call_count) {
      throw HarnessError("results of " + std::to_string(call_count) + " calls were expected");
    }
    return body.get<Results>();
  });
}

Outcome<Done> WorkerProcess::release() {
  return m_state->ask<Done>("release", nullptr, "released", [](const json&) { return Done{}; });
}

int WorkerProcess::stop() {
  if (!m_state->finished) m_state->ask_to_exit();
  return m_state->left;
}

std::size_t WorkerProcess::bytes_per_call() const {
  return m_state->bytes_per_call;
}

void WorkerProcess::expect_bytes_per_call(std::size_t bytes) {
  m_state->bytes_per_call = std::max(m_state->bytes_per_call, bytes);
}

std::string WorkerProcess::stderr_tail() const {
  return m_state->files.errors_tail(stderr_tail_bytes);
}

}  // namespace robust_kbench
