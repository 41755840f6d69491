#include "process/call_filter.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>
#include <vector>

#include "process/seccomp.hpp"

namespace robust_kbench {
namespace {

using namespace seccomp;

// The classes of allowed calls. benchmarks/system_calls.py says which of them workers make. Others
// are here since the C library makes them where a kernel has no part in the choice. The first list
// of each has the calls of x86-64 alone, which newer architectures have replaced.

// The loader, streams, and the directory into which a baseline unpacks its package. rkb_sandbox
// itself changes the directory. A stream asks by ioctl whether it writes to a terminal.
const std::vector<unsigned> calls_of_files{
#ifdef SYS_open
    SYS_open,     SYS_stat,       SYS_lstat,      SYS_access, SYS_mkdir,   SYS_rmdir,
    SYS_unlink,   SYS_rename,     SYS_readlink,
#endif
    SYS_read,     SYS_write,      SYS_readv,      SYS_writev, SYS_pread64, SYS_pwrite64,
    SYS_openat,   SYS_close,      SYS_newfstatat, SYS_fstat,  SYS_statx,   SYS_faccessat,
    SYS_lseek,    SYS_getdents64, SYS_getcwd,     SYS_chdir,  SYS_mkdirat, SYS_unlinkat,
    SYS_renameat, SYS_readlinkat, SYS_ftruncate,  SYS_fcntl,  SYS_ioctl,
};
// malloc, stacks of threads, libraries, and code that torch's operators make while they run.
const std::vector<unsigned> calls_of_memory{
    SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk,
};
// Threads, their names, priorities and processors, and children that a kernel waits for, with their
// pipes and streams. None leaves the worker's group, so that a signal to that stops them all.
const std::vector<unsigned> calls_of_threads_and_processes{
#ifdef SYS_pipe
    SYS_pipe,
    SYS_dup2,
    SYS_arch_prctl,
#endif
    SYS_pipe2,
    SYS_dup,
    SYS_dup3,
    SYS_clone,
    SYS_clone3,
    SYS_execve,
    SYS_exit,
    SYS_exit_group,
    SYS_wait4,
    SYS_waitid,
    SYS_set_tid_address,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_futex,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_setaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_prctl,
    SYS_prlimit64,
    SYS_getcpu,
};
// Programs take no failure of those that ask who they are. qsort asks for the size of the memory.
const std::vector<unsigned> calls_of_the_machine_and_the_user{
#ifdef SYS_getpgrp
    SYS_getpgrp,
#endif
    SYS_uname,   SYS_sysinfo, SYS_getuid,  SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_gettid,  SYS_getpid,  SYS_getppid, SYS_getpgid, SYS_getsid, SYS_getrandom,
};
// Handlers of crashes, and abort().
const std::vector<unsigned> calls_of_signals{
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
    SYS_sigaltstack,  SYS_tgkill,         SYS_restart_syscall,
};
// Clocks where the system answers in place of its shared page, and sleep of old and new libraries.
const std::vector<unsigned> calls_of_time{
#ifdef SYS_time
    SYS_time,
#endif
    SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep,
};
// The worker's channel to the broker. A pair of sockets reaches nobody outside of the worker. It
// stays, so that tests can put a kernel between worker and broker and see that it gains nothing.
const std::vector<unsigned> calls_of_the_channel{
#ifdef SYS_poll
    SYS_poll,
#endif
    SYS_ppoll, SYS_sendto, SYS_recvfrom, SYS_socketpair,
};
// The leak detector of AddressSanitizer stops the process's threads as a debugger does.
const std::vector<unsigned> calls_of_sanitizers{
#ifdef __SANITIZE_ADDRESS__
    SYS_ptrace,
    SYS_personality,
#endif
};

const std::vector<unsigned> refused_commands{
    F_SETLK,     F_SETLKW, F_GETLK,    F_OFD_SETLK, F_OFD_SETLKW,
    F_OFD_GETLK, F_SETSIG, F_SETLEASE, F_NOTIFY,
};

}  // namespace

void allow_calls_of_kernels() {
  std::vector<sock_filter> program{load(offsetof(seccomp_data, nr))};
  const auto commands = static_cast<unsigned char>(2 * refused_commands.size() + 2);
  program.insert(program.end(),
                 {unless_equal(SYS_fcntl, commands), load(offsetof(seccomp_data, args[1]))});
  for (const unsigned command : refused_commands) {
    program.insert(program.end(), {unless_equal(command, 1), answer(refuse_with(EPERM))});
  }
  program.push_back(answer(SECCOMP_RET_ALLOW));
  for (const std::vector<unsigned>& calls :
       {calls_of_files, calls_of_memory, calls_of_threads_and_processes,
        calls_of_the_machine_and_the_user, calls_of_signals, calls_of_time, calls_of_the_channel,
        calls_of_sanitizers}) {
    for (const unsigned call : calls) {
      program.insert(program.end(), {unless_equal(call, 1), answer(SECCOMP_RET_ALLOW)});
    }
  }
  // Libc then does without a call that it knows and this list does not.
  program.push_back(answer(refuse_with(ENOSYS)));
  install(program);
}

}  // namespace robust_kbench
