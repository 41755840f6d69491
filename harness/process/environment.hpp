#pragma once

#include <string>
#include <vector>

namespace robust_kbench {

// The named variables of this process's environment, as NAME=value. A child that gets only these
// sees no other variable, such as one with a key.
std::vector<std::string> named_variables(const std::vector<const char*>& names);

}  // namespace robust_kbench
