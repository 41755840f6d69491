#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for: a call of a batch that returns something else than the kept one, which is compared:
// other shapes, memory that it was not given where the kept call's was, or memory of another call's
// outputs. So a call that is not compared cannot hand out what it has not made.
// Cannot see: wrong elements in memory of its own.
std::optional<Judgement> batch_consistency(const BatchEvidence& evidence);

}  // namespace robust_kbench
