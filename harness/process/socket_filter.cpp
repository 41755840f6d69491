#include "process/socket_filter.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <vector>

#include "process/seccomp.hpp"

namespace robust_kbench {
namespace {

using namespace seccomp;

// io_uring can open sockets without a system call.
const std::vector<unsigned> refused_calls{
    SYS_io_uring_setup, SYS_add_key,          SYS_request_key,
    SYS_keyctl,         SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_pidfd_getfd,    SYS_perf_event_open,  SYS_bpf,
    SYS_userfaultfd,
#ifndef __SANITIZE_ADDRESS__
    SYS_ptrace,  // the leak detector stops its own threads so
#endif
};

}  // namespace

void refuse_sockets_and_tracing(bool local) {
  const unsigned of_local = local ? SECCOMP_RET_ALLOW : refuse_with(EACCES);
  // Calls by another architecture's numbers are refused.
  std::vector<sock_filter> program{
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
      answer(refuse_with(ENOSYS)),
      load(offsetof(seccomp_data, nr)),
      unless_at_least(first_foreign_call, 1),
      answer(refuse_with(ENOSYS)),
  };
  for (const unsigned call : refused_calls) {
    program.insert(program.end(), {unless_equal(call, 1), answer(refuse_with(EACCES))});
  }
  program.insert(program.end(), {
                                    unless_equal(SYS_socket, 6),
                                    load(offsetof(seccomp_data, args)),
                                    unless_equal(AF_UNIX, 1),
                                    answer(of_local),
                                    unless_equal(AF_NETLINK, 1),
                                    answer(of_local),
                                    answer(refuse_with(EACCES)),
                                    answer(SECCOMP_RET_ALLOW),
                                });
  install(program);
}

}  // namespace robust_kbench
