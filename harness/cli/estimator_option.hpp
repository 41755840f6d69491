#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"

namespace robust_kbench {

// `--estimators`: which ways to time a CUDA kernel are asked beside `robust`, which always is.
void add_estimator_option(CommandLine& command, std::vector<std::string>& others);

}  // namespace robust_kbench
