#pragma once

#include <string>

namespace robust_kbench {

// The heading below which --help shows a common option.
std::string group_of(const std::string& option);

}  // namespace robust_kbench
