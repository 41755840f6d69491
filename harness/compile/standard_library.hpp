#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"

// A kernel may use every name of the standard library, the system and CUDA that torch/extension.h
// brings along. The shim's own header brings few, since such headers cost a compiler more than a
// kernel does.
namespace robust_kbench {

// The -include options for headers whose names a kernel's texts use, but which the texts do not
// include. A scan finds them, and knows neither macros nor `using namespace std`.
std::vector<std::string> named_standard_headers(const KernelSource& kernel);

// The option that includes all such headers
// (harness/include/kernel/robust_kbench/standard_library.h).
std::vector<std::string> all_standard_headers();

}  // namespace robust_kbench
