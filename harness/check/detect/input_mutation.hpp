#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for an input tensor that has changed. Cannot see a write that was undone before the results
// were collected.
std::optional<Judgement> input_mutation(const BatchEvidence& evidence);

}  // namespace robust_kbench
