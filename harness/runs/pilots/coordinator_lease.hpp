#pragma once

#include <functional>
#include <string>

#include "runs/pilots/job_name.hpp"
#include "runs/pilots/shared_folder.hpp"

namespace robust_kbench {

// The right to be the one coordinator of a run directory. It is a lease like a pilot's, so a
// coordinator that was killed is followed by another, and one that lives is not.
class CoordinatorLease {
 public:
  // Waits so many seconds. Throws Cancelled where nobody wants the lease any more.
  using Wait = std::function<void(double seconds)>;

  // Takes the lease. If it is another's, waits until that one renews it, which throws UserError, or
  // has not done so for `lease_seconds`. One that ran on this machine and has ended is not waited
  // for. Throws FolderTrouble, and Cancelled as `wait` does. `folder` outlives this object.
  CoordinatorLease(const SharedFolder& folder, double lease_seconds, const Wait& wait);

  // The coordinator's name in the names of its jobs.
  [[nodiscard]] const std::string& id() const { return m_lease.holder; }
  // False: another coordinator has taken the lease, since this one had not renewed it for long.
  [[nodiscard]] bool renew();
  // Gives the lease back.
  void free();

 private:
  bool take_over(const LeaseName& from);

  const SharedFolder& m_folder;
  LeaseName m_lease;
};

}  // namespace robust_kbench
