#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "core/judgement.hpp"

namespace robust_kbench {

// A finding if less GPU memory is free than claims may take, not counting torch's cache in this
// process. Then some process holds more than it has claimed.
std::optional<Judgement> scarce_gpu_memory();

// Looks for a worker that has kept too much GPU memory besides its arena. Too much is more than
// half of the memory that other processes have not claimed. The amount is what becomes free once
// `kill` has killed the worker. Call it only while no other process may take or free GPU memory.
// Cannot see memory that the kernel freed earlier.
std::optional<Judgement> retained_gpu_memory(std::size_t arena_bytes,
                                             const std::function<void()>& kill);

// Throws OutOfGpuMemory if fewer than these claimed bytes are free. Call it only while no other
// process may take or free GPU memory.
void require_claimed_gpu_memory(std::size_t bytes);

}  // namespace robust_kbench
