#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// Macros, as NAME or NAME=VALUE, that leave out std headers which torch/extension.h would include.
// A header is left out if no source of the kernel, and no header included by quotes, seems to use
// it. The text is only scanned, so a kernel that fails to compile with them has to be compiled
// again without.
std::vector<std::string> lean_definitions(const KernelSource& kernel);

}  // namespace robust_kbench
