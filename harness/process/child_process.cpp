#include "process/child_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

constexpr std::chrono::milliseconds stop_limit{100};
constexpr std::chrono::microseconds stop_interval{20};

}  // namespace

ChildProcess::ChildProcess(const SpawnOptions& options, const std::string& marker)
    : m_spawned(spawn(options)),
      m_pid(m_spawned.pid),
      m_process_tree(m_pid, marker, m_spawned.init),
      m_pidfd(static_cast<int>(syscall(SYS_pidfd_open, m_pid, 0))) {
  if (m_pidfd.get() >= 0) return;
  const int error = errno;
  ::kill(m_pid, SIGKILL);
  end();
  throw system_failure("pidfd_open", error);
}

ChildProcess::~ChildProcess() {
  end();
}

bool ChildProcess::exits_within(std::chrono::milliseconds limit) const {
  pollfd fd{m_pidfd.get(), POLLIN, 0};
  return ended() || poll(&fd, 1, static_cast<int>(limit.count())) > 0;
}

void ChildProcess::pause() {
  if (ended() || m_ran_before_pause || ::kill(-m_pid, SIGSTOP) != 0) return;
  const auto start = std::chrono::steady_clock::now();
  const auto deadline = start + std::max(stop_limit, m_patience);
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(m_pid), &info, WSTOPPED | WNOHANG) == 0 &&
         info.si_pid == 0 && !exits_within(std::chrono::milliseconds{0}) &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(stop_interval);
  }
  const auto waited = std::chrono::steady_clock::now() - start;
  if (waited > stop_limit) {
    m_patience -= std::chrono::duration_cast<std::chrono::milliseconds>(waited);
  }
  m_ran_before_pause = processor_time();
}

std::chrono::nanoseconds ChildProcess::resume() {
  if (ended() || !m_ran_before_pause) return {};
  const auto ran = processor_time() - *std::exchange(m_ran_before_pause, std::nullopt);
  ::kill(-m_pid, SIGCONT);
  return std::max(ran, std::chrono::nanoseconds{0});  // an ended process reports no time
}

std::chrono::nanoseconds ChildProcess::processor_time() const {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(m_pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

void ChildProcess::kill() const {
  // Killed by its descriptor, since the process id may be reused once the child has been reaped.
  syscall(SYS_pidfd_send_signal, m_pidfd.get(), SIGKILL, nullptr, 0);
}

void ChildProcess::end() {
  if (ended()) return;
  kill();
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  m_left = m_process_tree.kill_all();
  int status = 0;
  waitpid(m_pid, &status, 0);
  m_wait_status = status;
  unregister_child(m_pid);
  if (m_spawned.init == 0) return;
  // Init ends last, since it ends only after all of its namespace have been reaped.
  ::kill(m_spawned.init, SIGKILL);
  waitpid(m_spawned.init, nullptr, 0);
  unregister_child(m_spawned.init);
}

}  // namespace robust_kbench
