#pragma once

#include <string>
#include <vector>

namespace robust_kbench {

// NAME=value of those variables that this process's environment has. A child that gets only these
// learns nothing else of it, such as a key.
std::vector<std::string> named_variables(const std::vector<const char*>& names);

}  // namespace robust_kbench
