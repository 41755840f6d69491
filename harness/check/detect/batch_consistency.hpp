#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for a call of a batch whose results differ in kind from those of the compared call. It may
// return other shapes, or memory of another call's outputs. It may also return memory that it was
// not given although the compared call did not. So a call that is not compared cannot return
// results that it has not made. Cannot see wrong elements in a call's own memory.
std::optional<Judgement> batch_consistency(const BatchEvidence& evidence);

}  // namespace robust_kbench
