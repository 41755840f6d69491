#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for outputs of the batch that have changed since the last call returned. Also looks for
// outputs in memory that the kernel was given only later. Cannot see a late write that misses the
// words of the probe. Nor can it see one to memory that the kernel was not given, which the
// comparison must find.
std::optional<Judgement> late_write(const BatchEvidence& evidence);

}  // namespace robust_kbench
