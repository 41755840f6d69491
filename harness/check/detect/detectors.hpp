#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Runs the detectors of this directory on a batch. Returns the gravest finding, or none. Each
// header says what its detector looks for and what it cannot see.
std::optional<Judgement> first_finding(const BatchEvidence& evidence);

}  // namespace robust_kbench
