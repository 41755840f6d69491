#include "process/namespaces.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/descriptor.hpp"
#include "core/error.hpp"

namespace robust_kbench {
namespace {

void write_whole(const char* path, const std::string& text) {
  const Descriptor file(open(path, O_WRONLY | O_CLOEXEC));
  const bool done = file.get() >= 0 && write(file.get(), text.data(), text.size()) ==
                                           static_cast<ssize_t>(text.size());
  require_call(done, path);
}

// The user keeps its id, and gets no rights outside the namespace.
void enter_user_namespace() {
  const std::string user = std::to_string(geteuid());
  const std::string group = std::to_string(getegid());
  require_call(unshare(CLONE_NEWUSER) == 0, "a namespace of users");
  write_whole("/proc/self/setgroups", "deny");
  write_whole("/proc/self/uid_map", user + " " + user + " 1");
  write_whole("/proc/self/gid_map", group + " " + group + " 1");
}

void raise_loopback() {
  const Descriptor any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  request.ifr_name[0] = 'l';
  request.ifr_name[1] = 'o';
  request.ifr_flags = IFF_UP;
  require_call(any.get() >= 0 && ioctl(any.get(), SIOCSIFFLAGS, &request) == 0, "raise loopback");
}

// Init adopts the namespace's orphans. It ignores SIGCHLD, so the kernel reaps them.
[[noreturn]] void be_init(int lifeline) {
  signal(SIGCHLD, SIG_IGN);
  // Other processes may not inspect init, since its memory and working directory date from before
  // the sandbox.
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_NAME, "rkb_init");
  const int kept = dup2(lifeline, 0);
  close_range(1, ~0U, 0);
  char nothing = 0;
  while (read(kept, &nothing, 1) != 0 && errno == EINTR) {
  }
  _exit(0);
}

}  // namespace

void enter_namespaces(const SandboxPolicy& policy) {
  if (policy.user_namespace) enter_user_namespace();
  int kinds = 0;
  if (policy.network_namespace) kinds |= CLONE_NEWNET;
  if (policy.process_namespace) kinds |= CLONE_NEWPID;
  // A GPU's driver shares memory with the broker, so it needs the outer IPC namespace.
  if (policy.process_namespace && !policy.gpu) kinds |= CLONE_NEWIPC;
  if (policy.view) kinds |= CLONE_NEWNS;
  require_call(unshare(kinds) == 0, "namespaces");
  if (policy.network_namespace) raise_loopback();
}

std::optional<NewProcesses> start_processes(int lifeline) {
  NewProcesses started;
  started.init = fork();
  require_call(started.init >= 0, "fork init");
  if (started.init == 0) be_init(lifeline);
  started.worker =
      static_cast<pid_t>(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, 0));
  if (started.worker != 0) {
    if (started.worker < 0) {
      const int error = errno;
      kill(started.init, SIGKILL);
      throw system_failure("fork the worker", error);
    }
    return started;
  }
  close(lifeline);
  require_call(setsid() >= 0, "setsid");
  require_call(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, "PR_SET_PDEATHSIG");
  // The parent is outside the namespace, so its process id reads 0. An orphan would have init as
  // its parent.
  if (getppid() != 0) _exit(1);
  return std::nullopt;
}

}  // namespace robust_kbench
