#include "exec/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"

namespace robust_kbench {

ChildProcess::ChildProcess(const SpawnOptions& options, const std::string& marker)
    : m_pid(spawn(options)),
      m_family(m_pid, marker),
      m_pidfd(static_cast<int>(syscall(SYS_pidfd_open, m_pid, 0))) {
  if (m_pidfd.get() >= 0) return;
  const int error = errno;
  end();
  throw HarnessError(std::string("pidfd_open: ") + std::strerror(error));
}

ChildProcess::~ChildProcess() {
  end();
}

bool ChildProcess::exits_within(std::chrono::milliseconds limit) const {
  pollfd fd{m_pidfd.get(), POLLIN, 0};
  return ended() || poll(&fd, 1, static_cast<int>(limit.count())) > 0;
}

void ChildProcess::pause() const {
  if (!ended()) ::kill(-m_pid, SIGSTOP);
}

void ChildProcess::resume() const {
  if (!ended()) ::kill(-m_pid, SIGCONT);
}

void ChildProcess::kill() const {
  if (!ended()) ::kill(m_pid, SIGKILL);
}

void ChildProcess::end() {
  if (ended()) return;
  kill();
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  m_left = m_family.exterminate();
  int status = 0;
  waitpid(m_pid, &status, 0);
  m_wait_status = status;
  unregister_child(m_pid);
}

}  // namespace robust_kbench
