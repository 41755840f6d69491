#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for an output that is no tensor in memory that the kernel was given. Cannot see whether its
// elements are right, which the comparison decides.
std::optional<Judgement> unusable_output(const BatchEvidence& evidence);

}  // namespace robust_kbench
