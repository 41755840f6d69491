#include "process/spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <linux/capability.h>
#include <optional>
#include <sched.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"
#include "process/affinity.hpp"
#include "process/process_tree.hpp"

namespace robust_kbench {
namespace {

// The child's error report, through a pipe that closes when the child executes its program.
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

// The child until it executes its program. It shares the memory of its parent, which may have other
// threads. So all code here makes plain system calls on memory that was allocated before.
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
    // On exec, root regains capabilities from the bounding set. Other users can neither drop nor
    // use this one.
    if (m_options.traces_nobody) prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE);
    reset_signals();
    place_descriptors();
    if (!m_options.working_directory.empty()) {
      require(chdir(m_options.working_directory.c_str()) == 0, "chdir");
    }
    if (!m_options.cpus.empty()) {
      require(sched_setaffinity(0, sizeof(m_cpus), &m_cpus) == 0, "sched_setaffinity");
    }
    for (const auto& [resource, value] : m_options.limits) {
      // The signal that tells of this limit comes at the soft one, and SIGKILL at the hard one.
      const rlim_t hard = resource == RLIMIT_CPU ? value + 1 : value;
      const rlimit limit{value, hard};
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
    if (write(fd, "1000", 4) != 4) errno = 0;  // optional: it protects the broker
    close(fd);
  }

  static void reset_signals() {
    for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
  }

  // A descriptor of ours may have a number that the child needs, so all are first moved above these
  // numbers.
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

// Starts the child as vfork does: this thread waits until the child executes its program. A fork
// would copy the page tables of a process with a gigabyte, which would then fault on each page.
pid_t clone_process(Child& child) {
  constexpr std::size_t stack_bytes = std::size_t{256} << 10;
  std::vector<std::byte> stack(stack_bytes);
  // Signals are blocked, so that no handler of this process runs in the child.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const auto start = [](void* started) -> int { static_cast<Child*>(started)->start(); };
  const pid_t pid =
      clone(start, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK | SIGCHLD, &child);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

// Throws HarnessError that names `whom` as the program that could not be started.
pid_t start(const SpawnOptions& options, const std::string& whom) {
  const std::string who = "cannot start " + whom;
  std::array<int, 2> report{};
  if (pipe2(report.data(), O_CLOEXEC) != 0) throw system_failure(who);
  Child child(options, report[1]);
  int clone_error = 0;
  const pid_t pid = register_child([&] {
    const pid_t cloned = clone_process(child);
    clone_error = errno;
    return cloned;
  });
  close(report[1]);
  const auto failure = pid < 0 ? StartFailure{clone_error, {"clone"}} : read_report(report[0]);
  close(report[0]);
  if (!failure) return pid;
  if (pid > 0) {
    waitpid(pid, nullptr, 0);
    unregister_child(pid);
  }
  throw system_failure(who + ": " + failure->step.data(), failure->error);
}

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw system_failure("pipe");
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
  }
  Descriptor read_end;
  Descriptor write_end;
};

std::string read_all(int fd) {
  std::string text;
  std::array<char, 512> buffer{};
  ssize_t n = 0;
  while ((n = read(fd, buffer.data(), buffer.size())) > 0 || (n < 0 && errno == EINTR)) {
    if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return text;
}

void reap(pid_t pid) {
  waitpid(pid, nullptr, 0);
  unregister_child(pid);
}

// The value of a line of the report, or nothing if there is none.
std::optional<std::string> reported(const std::string& report, const std::string& name) {
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name)) return line.substr(name.size());
  }
  return std::nullopt;
}

// Reads the report of rkb_sandbox until it has executed the program.
Spawned await_start(int report_fd, pid_t starter, const std::string& who) {
  const std::string report = read_all(report_fd);
  Spawned spawned{.pid = starter};
  if (const auto pids = reported(report, sandbox_started)) {
    std::istringstream(*pids) >> spawned.pid >> spawned.init;
    register_child([&] { return spawned.pid; });
    register_child([&] { return spawned.init; });
    reap(starter);
  }
  const auto failure = reported(report, sandbox_failed);
  if (!failure) return spawned;
  for (const pid_t pid : {spawned.pid, spawned.init}) {
    if (pid <= 0) continue;
    kill(pid, SIGKILL);
    reap(pid);
  }
  throw HarnessError("cannot start " + who + ": the sandbox: " + *failure);
}

Spawned spawn_enclosed(SpawnOptions options) {
  const std::string who = options.arguments.front();
  if (!options.environment) throw HarnessError("the environment of " + who + " is not named");
  SandboxPolicy policy = options.sandbox->policy;
  Pipe report;
  Pipe lifeline;
  policy.report = STDERR_FILENO + 1;
  for (const auto& [ours, theirs] : options.descriptors) {
    policy.report = std::max(policy.report, theirs + 1);
  }
  options.descriptors.emplace_back(report.write_end.get(), policy.report);
  if (policy.process_namespace) {
    policy.lifeline = policy.report + 1;
    options.descriptors.emplace_back(lifeline.read_end.get(), policy.lifeline);
  }
  options.arguments.insert(options.arguments.begin(), options.sandbox->program);
  options.environment->push_back(std::string(sandbox_policy_variable) + "=" + encode(policy));
  Spawned spawned = register_children([&] {
    const pid_t starter = start(options, who);
    report.write_end.reset();
    return await_start(report.read_end.get(), starter, who);
  });
  if (spawned.init > 0) spawned.lifeline = std::move(lifeline.write_end);
  return spawned;
}

}  // namespace

Spawned spawn(const SpawnOptions& options) {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (options.sandbox) return spawn_enclosed(options);
  return {.pid = start(options, options.arguments.front())};
}

}  // namespace robust_kbench
