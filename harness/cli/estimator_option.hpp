#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace robust_kbench {

// `--estimators`: which ways to time a CUDA kernel are asked beside `robust`, which always is.
void add_estimator_option(CLI::App& command, std::vector<std::string>& others);

}  // namespace robust_kbench
