#include "process/spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"
#include "process/affinity.hpp"
#include "process/process_tree.hpp"

namespace robust_kbench {
namespace {

// The child's report through a pipe that closes when it becomes another program.
struct StartFailure {
  int error;
  std::array<char, 28> step;
};

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// The child between fork and exec. The parent may have had other threads, so everything here is a
// plain system call on memory that was made before the fork.
class Child {
 public:
  Child(const SpawnOptions& options, int report_fd)
      : m_options(options),
        m_report_fd(report_fd),
        m_parent(getpid()),
        m_arguments(pointers(options.arguments)),
        m_environment(options.environment ? pointers(*options.environment) : std::vector<char*>()),
        m_cpus(cpu_set_of(options.cpus)),
        m_moved(options.descriptors.size()) {}

  [[noreturn]] void start() {
    require(setsid() >= 0, "setsid");
    if (m_options.untrusted) {
      require(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, "PR_SET_PDEATHSIG");
      if (getppid() != m_parent) _exit(1);
      require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "PR_SET_NO_NEW_PRIVS");
      volunteer_for_oom_killer();
    }
    reset_signals();
    place_descriptors();
    if (!m_options.working_directory.empty()) {
      require(chdir(m_options.working_directory.c_str()) == 0, "chdir");
    }
    if (!m_options.cpus.empty()) {
      require(sched_setaffinity(0, sizeof(m_cpus), &m_cpus) == 0, "sched_setaffinity");
    }
    for (const auto& [resource, value] : m_options.limits) {
      const rlimit limit{value, value};
      require(setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0, "setrlimit");
    }
    char** environment = m_options.environment ? m_environment.data() : environ;
    execvpe(m_arguments[0], m_arguments.data(), environment);
    require(false, "exec");
    _exit(1);
  }

 private:
  void require(bool done, const char* step) const {
    if (done) return;
    StartFailure failure{.error = errno, .step = {}};
    for (std::size_t i = 0; step[i] != '\0' && i + 1 < failure.step.size(); ++i) {
      failure.step[i] = step[i];
    }
    const ssize_t written = write(m_report_fd, &failure, sizeof(failure));
    _exit(written > 0 ? 1 : 2);
  }

  static void volunteer_for_oom_killer() {
    const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0) return;
    if (write(fd, "1000", 4) != 4) errno = 0;  // only a courtesy to the broker
    close(fd);
  }

  static void reset_signals() {
    for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
  }

  // Ours may bear the numbers that the child's shall have, so all move out of the way first.
  void place_descriptors() {
    int beyond = m_report_fd + 1;
    for (const auto& [ours, theirs] : m_options.descriptors) {
      beyond = std::max({beyond, ours + 1, theirs + 1});
    }
    const int report = fcntl(m_report_fd, F_DUPFD_CLOEXEC, beyond);
    require(report >= 0, "dup");
    m_report_fd = report;
    for (std::size_t i = 0; i < m_moved.size(); ++i) {
      m_moved[i] = fcntl(m_options.descriptors[i].first, F_DUPFD_CLOEXEC, beyond);
      require(m_moved[i] >= 0, "dup");
    }
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    require(null >= 0 && dup2(null, STDIN_FILENO) == STDIN_FILENO, "open /dev/null");
    int last = STDERR_FILENO;
    for (std::size_t i = 0; i < m_moved.size(); ++i) {
      const int theirs = m_options.descriptors[i].second;
      require(dup2(m_moved[i], theirs) == theirs, "dup2");
      last = std::max(last, theirs);
    }
    const auto first = static_cast<unsigned>(last) + 1;
    require(close_range(first, ~0U, CLOSE_RANGE_CLOEXEC) == 0, "close_range");
  }

  const SpawnOptions& m_options;
  int m_report_fd;
  pid_t m_parent;
  std::vector<char*> m_arguments;
  std::vector<char*> m_environment;
  cpu_set_t m_cpus;
  std::vector<int> m_moved;
};

std::optional<StartFailure> read_report(int fd) {
  StartFailure failure{};
  ssize_t n = 0;
  do {
    n = read(fd, &failure, sizeof(failure));
  } while (n < 0 && errno == EINTR);
  if (n != sizeof(failure)) return std::nullopt;
  return failure;
}

}  // namespace

pid_t spawn(const SpawnOptions& options) {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const std::string who = "cannot start " + options.arguments.front();
  std::array<int, 2> report{};
  if (pipe2(report.data(), O_CLOEXEC) != 0) throw system_failure(who);
  Child child(options, report[1]);
  int fork_error = 0;
  const pid_t pid = register_child([&] {
    const pid_t forked = fork();
    if (forked == 0) child.start();
    fork_error = errno;
    return forked;
  });
  close(report[1]);
  const auto failure = pid < 0 ? StartFailure{fork_error, {"fork"}} : read_report(report[0]);
  close(report[0]);
  if (!failure) return pid;
  if (pid > 0) {
    waitpid(pid, nullptr, 0);
    unregister_child(pid);
  }
  throw system_failure(who + ": " + failure->step.data(), failure->error);
}

}  // namespace robust_kbench
