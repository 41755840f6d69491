#pragma once

#include "runs/pilots/job_name.hpp"
#include "runs/pilots/shared_folder.hpp"

namespace robust_kbench {

// Renames a lease in a directory of the folder to its next number. False: it is another's now.
bool renew_lease(const SharedFolder& folder, const char* directory, LeaseName& lease);

}  // namespace robust_kbench
