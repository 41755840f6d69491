#pragma once

#include <optional>

#include "check/detect/batch_evidence.hpp"

namespace robust_kbench {

// Looks for: a call of a batch that did not do its work: an output of its own that is still poison,
// as memory is when it is handed out. Two words of each, by a few operators over the whole batch.
// Cannot see: an output that is written in part where neither word lies, or one in memory that the
// kernel was not given, which is left to whoever compares it.
std::optional<Judgement> unwritten_output(const BatchEvidence& evidence);

}  // namespace robust_kbench
