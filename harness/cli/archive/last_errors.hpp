#pragma once

#include <string>
#include <vector>

#include "archive/call_row.hpp"

namespace robust_kbench {

// The last error of each model that was asked and never answered, a line each. What kept an attempt
// from being sent is none. Empty where each model has answered.
std::string last_errors(const std::vector<CallRow>& calls);

}  // namespace robust_kbench
