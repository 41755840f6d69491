#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "check/finding.hpp"

namespace robust_kbench {

// A GPU whose memory is gone, whoever has it: less than an eighth is left, without what torch keeps
// here for later. None where more is left.
std::optional<Finding> scarce_gpu_memory();

// A worker that has kept more than half of the GPU's memory beside its arena, judged by what comes
// back once `kill` has killed it. Only while nobody else may take or give back any.
std::optional<Finding> hoarded_gpu_memory(std::size_t arena_bytes,
                                          const std::function<void()>& kill);

}  // namespace robust_kbench
