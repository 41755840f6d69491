#pragma once

#include <string>

namespace robust_kbench {

// The command line with which --help of a command begins, such as "rkb archive list". Empty for a
// command that has none.
std::string help_example(const std::string& command);

}  // namespace robust_kbench
