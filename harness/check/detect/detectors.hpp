#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// What the detectors of this directory find in a batch, the gravest first; none where all is well.
// Each file says what it looks for and what it cannot see.
std::optional<Judgement> first_finding(const BatchEvidence& evidence);

}  // namespace robust_kbench
