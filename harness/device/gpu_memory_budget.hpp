#pragma once

#include <cstddef>

#include "device/memory_claim.hpp"

namespace robust_kbench {

// Of a process that uses the GPU, with the code of the libraries that it loads there.
inline constexpr std::size_t gpu_context_bytes = std::size_t{640} << 20;
// Of a process that makes references there by torch: its reserve (device/gpu_reserve.hpp) and the
// workspace of cuBLAS as well.
inline constexpr std::size_t broker_context_bytes = std::size_t{1} << 30;

// The memory of GPU 0 that may be claimed. The rest is for processes that claim nothing, and for
// those that take somewhat more than they have claimed. Makes no context. Throws HarnessError where
// there is no GPU.
const MemoryBudget& gpu_memory_budget();

// Less free memory than this tells of somebody who has more than he has claimed.
std::size_t scarce_gpu_bytes();

}  // namespace robust_kbench
