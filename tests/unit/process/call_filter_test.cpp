#include "process/call_filter.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <functional>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "process/privileges.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The answer of `what` in a child with the filter, since a filter cannot be removed.
bool holds(const std::function<bool()>& what) {
  const pid_t child = fork();
  if (child == 0) {
    refuse_new_privileges();
    allow_calls_of_kernels();
    _exit(what() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

bool is_refused(long result) {
  return result == -1 && (errno == EPERM || errno == ENOSYS);
}

TEST(CallFilter, RefusesTimers) {
  EXPECT_TRUE(holds([] {
    timer_t timer = nullptr;
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGCONT;
    return is_refused(timer_create(CLOCK_MONOTONIC, &event, &timer));
  }));
  EXPECT_TRUE(holds([] { return is_refused(timerfd_create(CLOCK_MONOTONIC, 0)); }));
  EXPECT_TRUE(holds([] {
    const itimerval soon{{}, {1, 0}};
    return is_refused(setitimer(ITIMER_REAL, &soon, nullptr));
  }));
}

TEST(CallFilter, RefusesCallsThatRevealOtherProcesses) {
  EXPECT_TRUE(holds([] { return is_refused(flock(open("/usr", O_RDONLY), LOCK_SH)); }));
  EXPECT_TRUE(holds([] {
    struct flock lock {};
    lock.l_type = F_RDLCK;
    return is_refused(fcntl(open("/dev/null", O_RDWR), F_SETLK, &lock));
  }));
  EXPECT_TRUE(holds([] { return is_refused(fcntl(0, F_SETSIG, SIGCONT)); }));
  EXPECT_TRUE(holds([] { return is_refused(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600)); }));
  EXPECT_TRUE(holds([] { return is_refused(inotify_init1(0)); }));
}

// A process of another session or group would not stop with the worker, and could wake it.
TEST(CallFilter, RefusesToLeaveTheGroupOrToSignalIt) {
  EXPECT_TRUE(holds([] { return is_refused(setsid()); }));
  EXPECT_TRUE(holds([] { return is_refused(setpgid(0, 0)); }));
  EXPECT_TRUE(holds([] { return is_refused(kill(0, SIGCONT)); }));
}

TEST(CallFilter, RefusesCallsThatNoKernelNeeds) {
  for (const long call : {SYS_unshare, SYS_mount, SYS_chroot, SYS_setuid, SYS_personality,
                          SYS_userfaultfd, SYS_seccomp, SYS_vmsplice, SYS_mlockall,
                          SYS_memfd_create, SYS_mincore, SYS_socket, SYS_epoll_create1}) {
    EXPECT_TRUE(holds([&] { return is_refused(syscall(call, 0, 0, 0, 0, 0, 0)); })) << call;
  }
}

TEST(CallFilter, AllowsThreadsAndProcesses) {
  EXPECT_TRUE(holds([] {
    std::atomic<int> ran = 0;
    std::thread([&] { ++ran; }).join();
    const pid_t child = fork();
    if (child == 0) _exit(3);
    int status = 0;
    return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3 && ran == 1;
  }));
}

TEST(CallFilter, AllowsCallsThatKernelsNeed) {
  EXPECT_TRUE(holds([] {
    const timespec moment{0, 1000};
    return nanosleep(&moment, nullptr) == 0 && fcntl(0, F_GETFD) != -1 &&
           fcntl(open("/dev/null", O_RDWR), F_SETFD, FD_CLOEXEC) == 0;
  }));
}

}  // namespace
}  // namespace robust_kbench
