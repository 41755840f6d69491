#pragma once

#include <string>

#include "core/manifest.hpp"

namespace robust_kbench {

// The shell command that tests the kernel again as it was compiled. --case and --nonce of one case
// may be appended.
std::string replay_command(const KernelSource& kernel);

}  // namespace robust_kbench
