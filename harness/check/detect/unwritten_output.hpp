#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for a call of a batch that left one of its own outputs as poison, which fills memory when
// it is handed out. Two words of each output are checked, by a few operators over the whole batch.
// Cannot see a partly written output in which both words are written. Nor can it see one in memory
// that the kernel was not given, which the comparison must find.
std::optional<Judgement> unwritten_output(const BatchEvidence& evidence);

}  // namespace robust_kbench
