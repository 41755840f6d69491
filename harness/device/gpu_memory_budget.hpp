#pragma once

#include <cstddef>

#include "device/memory_claim.hpp"

namespace robust_kbench {

// Memory that a process on the GPU takes for its context and for the code of its libraries.
inline constexpr std::size_t gpu_context_bytes = std::size_t{640} << 20;
// The same for a process that makes references by torch. It also needs the reserve
// (device/gpu_reserve.hpp) and the workspace of cuBLAS.
inline constexpr std::size_t broker_context_bytes = std::size_t{1} << 30;

// The memory of GPU 0 that may be claimed. The rest is for processes without claims, and for those
// that take somewhat more than they claimed. Makes no context. Throws HarnessError where there is
// no GPU.
const MemoryBudget& gpu_memory_budget();

// With less free memory than this, some process must hold more than it has claimed.
std::size_t scarce_gpu_bytes();

}  // namespace robust_kbench
