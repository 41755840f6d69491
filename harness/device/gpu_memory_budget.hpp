#pragma once

#include <cstddef>

#include "device/memory_claim.hpp"

namespace robust_kbench {

// Memory of a process that uses the GPU, including the code of the libraries that it loads there.
inline constexpr std::size_t gpu_context_bytes = std::size_t{640} << 20;
// Memory of a process that makes references there by torch. It adds the reserve
// (device/gpu_reserve.hpp) and the workspace of cuBLAS.
inline constexpr std::size_t broker_context_bytes = std::size_t{1} << 30;

// The memory of GPU 0 that may be claimed. The rest is for processes that claim nothing, and for
// those that take somewhat more than they have claimed. Makes no context. Throws HarnessError where
// there is no GPU.
const MemoryBudget& gpu_memory_budget();

// Less free memory than this shows that some process holds more than it has claimed.
std::size_t scarce_gpu_bytes();

}  // namespace robust_kbench
