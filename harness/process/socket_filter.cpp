#include "process/socket_filter.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
constexpr unsigned first_foreign_call = 0x40000000;  // of the x32 interface
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
constexpr unsigned first_foreign_call = ~0U;
#else
#error "which architecture seccomp tells of is not known here"
#endif

constexpr unsigned refuse_with(unsigned error) {
  return SECCOMP_RET_ERRNO | error;
}

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}
constexpr sock_filter unless_equal(unsigned value, unsigned char skip) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip);
}
constexpr sock_filter unless_at_least(unsigned value, unsigned char skip) {
  return BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, skip);
}
constexpr sock_filter answer(unsigned value) {
  return BPF_STMT(BPF_RET | BPF_K, value);
}

}  // namespace

void refuse_sockets(bool local) {
  const unsigned of_local = local ? SECCOMP_RET_ALLOW : refuse_with(EACCES);
  // What asks by another architecture's numbers is refused. io_uring opens sockets without a call.
  std::array<sock_filter, 16> program{
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
      answer(refuse_with(ENOSYS)),
      load(offsetof(seccomp_data, nr)),
      unless_at_least(first_foreign_call, 1),
      answer(refuse_with(ENOSYS)),
      unless_equal(SYS_io_uring_setup, 1),
      answer(refuse_with(ENOSYS)),
      unless_equal(SYS_socket, 6),
      load(offsetof(seccomp_data, args)),
      unless_equal(AF_UNIX, 1),
      answer(of_local),
      unless_equal(AF_NETLINK, 1),
      answer(of_local),
      answer(refuse_with(EACCES)),
      answer(SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  // The filter guards no secret of this process, so it needs no slower speculation.
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) != 0) {
    throw system_failure("seccomp");
  }
}

}  // namespace robust_kbench
