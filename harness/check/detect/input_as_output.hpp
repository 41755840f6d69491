#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for an output in the memory of an input. It matters only where the output is wrong, since a
// kernel may return its input where that is the answer. Cannot see a copy of an input, which is as
// wrong as any other output.
std::optional<Judgement> input_as_output(const BatchEvidence& evidence);

}  // namespace robust_kbench
