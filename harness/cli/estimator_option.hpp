#pragma once

#include <string>
#include <vector>

#include "command/command_line.hpp"

namespace robust_kbench {

// Declares --estimators, the ways to time a CUDA kernel that are asked beside `robust`.
void add_estimator_option(CommandLine& command, std::vector<std::string>& others);

}  // namespace robust_kbench
