#include "compile/audit/symbol_lists.hpp"

namespace robust_kbench {
namespace {

constexpr SymbolList capability_lists[] = {
    {Capability::threads, R"(
      pthread_* thrd_* cnd_* sem_* sched_* __sched_* clone clone3 __clone __clone2 getcpu
      GOMP_* GOACC_* omp_* __kmpc_* kmpc_* tbb::*
      std::thread::* std::thread std::jthread* std::this_thread::* std::condition_variable*
      std::__future_base::* std::future* std::promise* std::async* std::__atomic_futex*
      at::launch at::intraop_launch at::intraop_launch_future at::init_num_threads
      at::set_num_threads at::set_num_interop_threads at::get_num_interop_threads
      at::internal::invoke_parallel at::internal::set_thread_num at::internal::lazy_init_num_threads
      at::internal::launch_no_thread_state
      at::PTThreadPool* c10::ThreadPool* c10::TaskThreadPool* c10::setThreadName caffe2::pthreadpool*
      cudaLaunchHostFunc* cudaStreamAddCallback* cudaGraphAddHostNode* cudaGraphHostNode*
      cudaGraphExecHostNode* cudaUserObject* cudaGraphRetainUserObject)"},
    {Capability::clocks, R"(
      clock clock_* gettimeofday settimeofday time times timespec_get timespec_getres ftime adjtime*
      nanosleep usleep sleep thrd_sleep getrusage omp_get_wtime omp_get_wtick
      std::chrono::* std::this_thread::__sleep_for c10::getTime c10::ApproximateClock*
      c10::getApproximateTime torch::profiler::* torch::autograd::profiler::*
      cudaEventElapsedTime*)"},
    {Capability::environment, R"(
      getenv secure_getenv setenv putenv unsetenv clearenv environ _environ __environ getauxval
      program_invocation_name program_invocation_short_name __progname __progname_full
      __libc_argv __libc_argc getlogin* gethostname getdomainname uname gethostid
      c10::utils::get_env c10::utils::has_env c10::utils::check_env c10::utils::set_env)"},
    {Capability::files, R"(
      open openat open_* creat close close_range closefrom read readv pread* write writev pwrite*
      lseek fopen fdopen freopen fopencookie fmemopen open_memstream fclose fcloseall fread
      fread_unlocked fgets fgets_unlocked fgetc fgetc_unlocked getc getc_unlocked getchar gets
      getline getdelim ungetc fscanf vfscanf scanf vscanf fgetws fgetwc fwscanf dprintf vdprintf
      fseek* ftell* fgetpos fsetpos rewind fileno* tmpfile tmpnam* tempnam mkstemp* mkostemp*
      mkdtemp mktemp stat fstat lstat fstatat statx statfs fstatfs statvfs fstatvfs access eaccess
      faccessat opendir fdopendir readdir* rewinddir seekdir telldir closedir scandir* dirfd
      getdents* mkdir* mkfifo* mknod* rmdir unlink* remove rename* link linkat symlink* readlink*
      realpath canonicalize_file_name chdir fchdir getcwd get_current_dir_name getwd truncate
      ftruncate fallocate posix_fallocate posix_fadvise fcntl flock lockf dup dup2 dup3 pipe pipe2
      sendfile splice vmsplice tee copy_file_range sync fsync fdatasync syncfs chmod fchmod* chown
      fchown* lchown utime* futime* umask glob globfree ftw nftw fts_* inotify_* fanotify_* getmntent
      setmntent name_to_handle_at open_by_handle_at getxattr setxattr listxattr stdin
      std::filesystem::* std::experimental::filesystem::* std::basic_ofstream* std::basic_ifstream*
      std::basic_fstream* std::basic_filebuf* std::__basic_file* __gnu_cxx::stdio_filebuf* std::cin
      caffe2::serialize::* torch::serialize::* torch::jit::* torch::load* torch::save*
      torch::pickle_* at::from_file c10::TempFile* c10::tempfile* c10::try_make_temp*)"},
    {Capability::memory_mapping, R"(
      mmap munmap mremap mprotect pkey_* madvise posix_madvise process_madvise mincore mlock*
      munlock* msync shm_open shm_unlink shmget shmat shmdt shmctl memfd_* remap_file_pages brk
      sbrk userfaultfd mbind set_mempolicy* move_pages migrate_pages numa_* mseal
      at::MapAllocator* at::RefcountedMapAllocator* at::WithFd at::NewProcessWideShmHandle
      cudaHostRegister cudaHostUnregister cudaHostAlloc cudaMallocHost cudaFreeHost
      cudaHostGetDevicePointer cudaHostGetFlags cudaMallocManaged cudaMemPrefetch* cudaMemAdvise*
      cudaMemRangeGet* cudaIpc* cudaMemPoolExport* cudaMemPoolImport* cudaImportExternal*
      cudaExternalMemory* cudaDestroyExternal* cudaSignalExternal* cudaWaitExternal*)"},
    {Capability::dynamic_loading, R"(
      dlopen dlmopen dlsym dlvsym dlclose dlerror dladdr* dlinfo dl_* _dl_* __libc_dl* _r_debug
      _rtld_global* _DYNAMIC __ehdr_start nvrtc* nvJitLink* nvPTXCompiler* nvFatbin* cudaLibrary*
      cudaGetKernel cudaKernelSet* at::DynamicLibrary* c10::DynamicLibrary* at::cuda::jit::*)"},
    {Capability::driver, R"(
      cuInit cuArray* cuCheckpoint* cuCoredump* cuCtx* cuDestroy* cuDevice* cuDriver* cuEGL* cuEvent*
      cuExternal* cuFunc* cuGL* cuGet* cuGraph* cuGreen* cuImport* cuIpc* cuKernel* cuLaunch* cuLib*
      cuLink* cuLog* cuMem* cuMipmapped* cuModule* cuMulticast* cuOccupancy* cuParam* cuPointer*
      cuProfiler* cuSignal* cuStream* cuSurf* cuTex* cuThread* cuUser* cuVDPAU* cuWait*
      cudaGetDriverEntryPoint* cudaGetExportTable cudaGetFuncBySymbol cudaGreenCtx* cudaExecutionCtx*
      cudaDeviceGetExecutionCtx nvml* cupti*
      at::cuda::NVRTC* at::cuda::detail::getNVRTC c10::cuda::DriverAPI*)"},
    {Capability::signals, R"(
      signal sigaction sigaddset sigdelset sigemptyset sigfillset sigismember sigprocmask sigwait*
      sigtimedwait sigqueue sigaltstack siginterrupt sigsuspend sigpending sigsetjmp __sigsetjmp
      siglongjmp sigvec sigblock sigsetmask sigpause sigreturn __sysv_signal bsd_signal ssignal
      gsignal raise kill killpg tgkill tkill pthread_kill pthread_sigmask pthread_sigqueue signalfd
      psignal psiginfo pause alarm ualarm setitimer getitimer timer_* timerfd_* feenableexcept
      pidfd_send_signal)"},
    {Capability::system_calls, R"(
      syscall vsyscall fork vfork _Fork exec* fexecve posix_spawn* system popen pclose wait wait3
      wait4 waitpid waitid ptrace prctl arch_prctl seccomp* personality process_vm_* pidfd_* getpid
      getppid gettid getpgid getpgrp getsid setsid setpgid setpgrp getrlimit setrlimit prlimit ioctl
      socket socketpair bind listen accept accept4 connect send sendto sendmsg sendmmsg recv
      recvfrom recvmsg recvmmsg shutdown getsockopt setsockopt getsockname getpeername getaddrinfo
      gethostby* inet_* poll ppoll select pselect epoll_* eventfd* futex io_* unshare setns mount umount*
      chroot pivot_root keyctl add_key request_key perf_event_open bpf sysinfo sysctl nice getpriority
      setpriority ioprio_* daemon getuid geteuid getgid getegid setuid setgid seteuid setegid
      setreuid setregid setresuid setresgid setgroups initgroups capset capget iopl ioperm kcmp
      membarrier rseq __rseq_* quick_exit at_quick_exit _exit _Exit exit_group msgget msgsnd msgrcv
      msgctl semget semop semctl mq_*)"},
    {Capability::harness, "rkb_* RKB_* robust_kbench*"},
    {Capability::other, "std::random_device*"},
};

}  // namespace

std::span<const SymbolList> lists_of_capabilities() {
  return capability_lists;
}

}  // namespace robust_kbench
