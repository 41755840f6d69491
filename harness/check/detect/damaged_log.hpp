#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for a log of allocations that contradicts itself, which only the kernel can have written.
// Cannot see a log that was changed to another sane one. Other detectors then find its memory
// wrong.
std::optional<Judgement> damaged_log(const BatchEvidence& evidence);

}  // namespace robust_kbench
