#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "core/judgement.hpp"

namespace robust_kbench {

// A finding where less GPU memory is free than claims may take, not counting torch's cache in this
// process. Some process then holds more than it has claimed.
std::optional<Judgement> scarce_gpu_memory();

// Looks for a worker that has kept too much GPU memory besides its arena. Too much is more than
// half of what other processes have not claimed. The amount is what becomes free once `kill` has
// killed the worker. Call it only while no other process may take or give back any. Cannot see
// memory that the kernel gave back earlier.
std::optional<Judgement> retained_gpu_memory(std::size_t arena_bytes,
                                             const std::function<void()>& kill);

// Throws OutOfGpuMemory where fewer than these claimed bytes are free. Call it only while no other
// process may take or give back any.
void require_claimed_gpu_memory(std::size_t bytes);

}  // namespace robust_kbench
