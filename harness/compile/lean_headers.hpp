#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// Macros, as NAME or NAME=VALUE, that leave out the std headers that torch/extension.h would bring
// and that no source of the kernel, nor a header that one includes by quotes, seems to name. The
// text is only scanned, so what fails to compile with them is to be compiled again without.
std::vector<std::string> lean_definitions(const KernelSource& kernel);

}  // namespace robust_kbench
