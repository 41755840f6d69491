#pragma once

#include <string>
#include <vector>

#include "archive/call_row.hpp"

namespace robust_kbench {

// Returns the costs of questions to language models, for a person. A table has a row for each
// stage, purpose and model. Below it are the total, the mean over the proposals that were asked
// about, and the last errors of models that never answered. Empty where nothing was asked.
std::string costs_text(const std::vector<CallRow>& calls);

}  // namespace robust_kbench
