#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for a byte outside of inputs and allocations that is no longer poison. Cannot see a write
// of the same poison, or one that was undone. Nor can it see one beyond the arena, which crashes
// the worker or hits the worker's own memory.
std::optional<Judgement> out_of_bounds_write(const BatchEvidence& evidence);

}  // namespace robust_kbench
