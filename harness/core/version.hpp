#pragma once

#include <string>

namespace robust_kbench {

// The version of this program, "0.1.0".
std::string rkb_version();

}  // namespace robust_kbench
