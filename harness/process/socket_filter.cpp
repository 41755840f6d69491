#include "process/socket_filter.hpp"

#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "process/seccomp.hpp"

namespace robust_kbench {

void refuse_sockets_and_keys(bool local) {
  using namespace seccomp;
  const unsigned of_local = local ? SECCOMP_RET_ALLOW : refuse_with(EACCES);
  // Calls by another architecture's numbers are refused. So is io_uring, which can open sockets
  // without a system call.
  std::array<sock_filter, 22> program{
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
      answer(refuse_with(ENOSYS)),
      load(offsetof(seccomp_data, nr)),
      unless_at_least(first_foreign_call, 1),
      answer(refuse_with(ENOSYS)),
      unless_equal(SYS_io_uring_setup, 1),
      answer(refuse_with(ENOSYS)),
      unless_equal(SYS_add_key, 1),
      answer(refuse_with(EACCES)),
      unless_equal(SYS_request_key, 1),
      answer(refuse_with(EACCES)),
      unless_equal(SYS_keyctl, 1),
      answer(refuse_with(EACCES)),
      unless_equal(SYS_socket, 6),
      load(offsetof(seccomp_data, args)),
      unless_equal(AF_UNIX, 1),
      answer(of_local),
      unless_equal(AF_NETLINK, 1),
      answer(of_local),
      answer(refuse_with(EACCES)),
      answer(SECCOMP_RET_ALLOW),
  };
  install(program);
}

}  // namespace robust_kbench
