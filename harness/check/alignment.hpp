#pragma once

#include <optional>
#include <vector>

#include "check/sequence_calls.hpp"
#include "core/case.hpp"

namespace robust_kbench {

// Calls a kernel with inputs that begin 4 bytes past a page's beginning, or one element where those
// are larger. A user's slice of a tensor does so. Each listed config is called that the kernel was
// right on and whose tensors have a million elements at most, or else the smallest one. Where it is
// not right the bytes are doubled until it is. Returns the bytes that were needed, at most the
// arena's alignment, or nullopt if 4 were enough.
std::optional<int> measured_alignment(SequenceCalls& calls, const Task& task, Direction direction,
                                      const std::vector<Case>& cases, bool gpu);

}  // namespace robust_kbench
