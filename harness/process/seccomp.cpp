#include "process/seccomp.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.hpp"

namespace robust_kbench::seccomp {

void install(std::span<sock_filter> program) {
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  // The flag keeps speculation fast: the filter protects no secret that side channels could reveal.
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) != 0) {
    throw system_failure("seccomp");
  }
}

}  // namespace robust_kbench::seccomp
