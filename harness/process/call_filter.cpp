#include "process/call_filter.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>
#include <vector>

#include "process/seccomp.hpp"

namespace robust_kbench {
namespace {

using namespace seccomp;

// The classes of allowed calls. The first list of each has the calls of x86-64 alone, which newer
// architectures have replaced.
const std::vector<unsigned> calls_of_files{
#ifdef SYS_open
    SYS_open,       SYS_creat,        SYS_stat,       SYS_lstat,       SYS_access,
    SYS_getdents,   SYS_mkdir,        SYS_rmdir,      SYS_unlink,      SYS_rename,
    SYS_link,       SYS_symlink,      SYS_readlink,   SYS_chmod,       SYS_utime,
    SYS_utimes,     SYS_futimesat,    SYS_dup2,       SYS_pipe,
#endif
    SYS_read,       SYS_write,        SYS_readv,      SYS_writev,      SYS_pread64,
    SYS_pwrite64,   SYS_preadv,       SYS_pwritev,    SYS_preadv2,     SYS_pwritev2,
    SYS_openat,     SYS_openat2,      SYS_close,      SYS_close_range, SYS_newfstatat,
    SYS_fstat,      SYS_statx,        SYS_statfs,     SYS_fstatfs,     SYS_faccessat,
    SYS_faccessat2, SYS_lseek,        SYS_getdents64, SYS_getcwd,      SYS_chdir,
    SYS_fchdir,     SYS_mkdirat,      SYS_unlinkat,   SYS_renameat,    SYS_renameat2,
    SYS_linkat,     SYS_symlinkat,    SYS_readlinkat, SYS_truncate,    SYS_ftruncate,
    SYS_fallocate,  SYS_fsync,        SYS_fdatasync,  SYS_fadvise64,   SYS_readahead,
    SYS_utimensat,  SYS_fchmod,       SYS_fchmodat,   SYS_umask,       SYS_dup,
    SYS_dup3,       SYS_fcntl,        SYS_ioctl,      SYS_sendfile,    SYS_copy_file_range,
    SYS_pipe2,      SYS_memfd_create,
};
const std::vector<unsigned> calls_of_memory{
    SYS_mmap,    SYS_munmap, SYS_mprotect,   SYS_mremap, SYS_madvise,       SYS_brk,
    SYS_mincore, SYS_msync,  SYS_membarrier, SYS_mbind,  SYS_get_mempolicy, SYS_set_mempolicy,
};
const std::vector<unsigned> calls_of_threads_and_processes{
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
    SYS_getpgrp,
    SYS_arch_prctl,
#endif
    SYS_clone,
    SYS_clone3,
    SYS_execve,
    SYS_exit,
    SYS_exit_group,
    SYS_wait4,
    SYS_waitid,
    SYS_set_tid_address,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_rseq,
    SYS_futex,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_setaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_gettid,
    SYS_getpid,
    SYS_getppid,
    SYS_getpgid,
    SYS_setpgid,
    SYS_getsid,
    SYS_setsid,
    SYS_getpriority,
    SYS_prctl,
    SYS_prlimit64,
    SYS_getrlimit,
    SYS_setrlimit,
    SYS_getrusage,
    SYS_getcpu,
};
const std::vector<unsigned> calls_of_the_machine_and_the_user{
    SYS_uname,  SYS_sysinfo,   SYS_getuid,    SYS_geteuid,   SYS_getgid,    SYS_getegid,
    SYS_capget, SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_getrandom,
};
const std::vector<unsigned> calls_of_signals{
#ifdef SYS_pause
    SYS_pause,
#endif
    SYS_rt_sigaction,  SYS_rt_sigprocmask,  SYS_rt_sigreturn,    SYS_rt_sigpending,
    SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack,     SYS_kill,
    SYS_tkill,         SYS_tgkill,          SYS_restart_syscall,
};
const std::vector<unsigned> calls_of_time{
#ifdef SYS_time
    SYS_time,
#endif
    SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday,
    SYS_times,         SYS_nanosleep,    SYS_clock_nanosleep,
};
// The filter of sockets says which of these there can be.
const std::vector<unsigned> calls_of_descriptors_that_wait{
#ifdef SYS_poll
    SYS_poll,     SYS_select,     SYS_epoll_create,  SYS_epoll_wait,  SYS_eventfd,
#endif
    SYS_ppoll,    SYS_pselect6,   SYS_epoll_create1, SYS_epoll_ctl,   SYS_epoll_pwait, SYS_eventfd2,
    SYS_socket,   SYS_socketpair, SYS_sendto,        SYS_recvfrom,    SYS_sendmsg,     SYS_recvmsg,
    SYS_shutdown, SYS_getsockopt, SYS_setsockopt,    SYS_getsockname, SYS_getpeername,
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
        calls_of_the_machine_and_the_user, calls_of_signals, calls_of_time,
        calls_of_descriptors_that_wait, calls_of_sanitizers}) {
    for (const unsigned call : calls) {
      program.insert(program.end(), {unless_equal(call, 1), answer(SECCOMP_RET_ALLOW)});
    }
  }
  // Libc then does without a call that it knows and this list does not.
  program.push_back(answer(refuse_with(ENOSYS)));
  install(program);
}

}  // namespace robust_kbench
