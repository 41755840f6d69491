#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "core/judgement.hpp"

namespace robust_kbench {

// A GPU of whose memory less is left than claims may take, without what torch keeps here for later:
// somebody has more than he has claimed. None where more is left.
std::optional<Judgement> scarce_gpu_memory();

// Looks for: a worker that has kept more than half of what other processes have not claimed beside
// its arena, judged by what comes back once `kill` has killed it. Only while nobody else may take
// or give back any. Cannot see: memory that the kernel gave back before it was looked for.
std::optional<Judgement> retained_gpu_memory(std::size_t arena_bytes,
                                             const std::function<void()>& kill);

// Throws OutOfGpuMemory where fewer than these bytes are free, which were claimed. Only while
// nobody else may take or give back any.
void require_claimed_gpu_memory(std::size_t bytes);

}  // namespace robust_kbench
