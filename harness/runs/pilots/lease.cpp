#include "runs/pilots/lease.hpp"

#include "runs/pilots/run_directory.hpp"

namespace robust_kbench {

bool renew_lease(const SharedFolder& folder, const char* directory, LeaseName& lease) {
  LeaseName next = lease;
  ++next.renewals;
  if (!folder.move(run_directory::in(directory, to_string(lease)),
                   run_directory::in(directory, to_string(next)))) {
    return false;
  }
  lease = next;
  return true;
}

}  // namespace robust_kbench
