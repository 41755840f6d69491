#pragma once

#include <string>
#include <vector>

#include "archive/call_row.hpp"

namespace robust_kbench {

// What attempts to ask language models cost, for a person. It is a table by stage, purpose and
// model, and a line with the total and the mean over the proposals that were asked about. The last
// errors of models that never answered follow (last_errors.hpp). Empty for none.
std::string costs_text(const std::vector<CallRow>& calls);

}  // namespace robust_kbench
