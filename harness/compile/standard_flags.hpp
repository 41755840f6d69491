#pragma once

#include <string>
#include <vector>

#include "core/device.hpp"

namespace robust_kbench {

// The flags for every kernel of a device, before its headers and its own options. For the CPU they
// are without fast-math:
//   -std=c++17 -O3 -march=native -fopenmp -fPIC -fvisibility=hidden
// For a GPU they are those of torch's own extension builds. The architecture is that of this
// machine's GPU, or else an H100's. `fast_math` adds --use_fast_math for a GPU.
std::vector<std::string> standard_flags(Device device, bool fast_math);

}  // namespace robust_kbench
