#include "process/privileges.hpp"

#include <array>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

using Sets = std::array<__user_cap_data_struct, 2>;

__user_cap_header_struct header() {
  return {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
}

}  // namespace

bool may_make_namespaces() {
  Sets sets{};
  auto of_this_process = header();
  return syscall(SYS_capget, &of_this_process, sets.data()) == 0 &&
         (sets[0].effective & (1U << CAP_SYS_ADMIN)) != 0;
}

void refuse_new_privileges() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) throw system_failure("PR_SET_NO_NEW_PRIVS");
}

void drop_capabilities() {
  // The bounding set comes first, since dropping from it needs a capability. The loop ends at the
  // first number that the kernel does not know.
  if (prctl(PR_CAPBSET_READ, CAP_SETPCAP) == 1) {
    for (unsigned capability = 0; prctl(PR_CAPBSET_DROP, capability) == 0; ++capability) {
    }
  }
  const Sets none{};
  auto of_this_process = header();
  if (syscall(SYS_capset, &of_this_process, none.data()) != 0) throw system_failure("capset");
}

}  // namespace robust_kbench
