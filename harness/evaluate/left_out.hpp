#pragma once

#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/record.hpp"

namespace robust_kbench {

// A note that lists the cases without a record, which the limit of `seconds` left no time for.
std::string left_out_for_time(const std::vector<Case>& cases, const std::vector<CaseRecord>& called,
                              double seconds);

}  // namespace robust_kbench
