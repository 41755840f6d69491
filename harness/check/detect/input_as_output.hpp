#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for an output in the memory of an input. This matters only if the output is wrong, since a
// kernel may return its input if that is the answer. Cannot see a copy of an input, which is as
// wrong as any other output.
std::optional<Judgement> input_as_output(const BatchEvidence& evidence);

}  // namespace robust_kbench
