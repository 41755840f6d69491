#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for: a call of the batch whose outputs have changed since the last call returned, or lie in
// memory that the kernel was given only later.
// Cannot see: a late write beside the words of the probe, or to outputs in memory that the kernel
// was not given, which are left to whoever compares them.
std::optional<Judgement> late_write(const BatchEvidence& evidence);

}  // namespace robust_kbench
