#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for an output that is no tensor in memory that the kernel was given. Cannot see wrong
// elements, which the comparison finds.
std::optional<Judgement> unusable_output(const BatchEvidence& evidence);

}  // namespace robust_kbench
