#pragma once

#include <string>

#include "command/command_line.hpp"
#include "command/program.hpp"

namespace robust_kbench {

// Returns a line for each of rkb, torch, the C++ compiler and CUDA. The latter two are those of the
// build that the manifest names, and are left out where there is none.
std::string versions_text(const Program& program);

}  // namespace robust_kbench
