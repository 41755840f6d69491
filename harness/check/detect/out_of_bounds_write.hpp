#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for: a byte outside of inputs and allocations that is no longer poison.
// Cannot see: a write of the very poison that was there, one that was undone, and one beyond the
// arena, which crashes the worker or hits memory of its own.
std::optional<Judgement> out_of_bounds_write(const BatchEvidence& evidence);

}  // namespace robust_kbench
