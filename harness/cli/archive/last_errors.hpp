#pragma once

#include <string>
#include <vector>

#include "archive/call_row.hpp"

namespace robust_kbench {

// Returns a line for each model that was asked and never answered, with its last error. An attempt
// that was never sent counts for nothing. Empty where each model has answered.
std::string last_errors(const std::vector<CallRow>& calls);

}  // namespace robust_kbench
