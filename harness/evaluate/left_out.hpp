#pragma once

#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/record.hpp"

namespace robust_kbench {

// A note for a pass: which of the cases have no record, since slow calls had only so many seconds.
std::string left_out_for_time(const std::vector<Case>& cases, const std::vector<CaseRecord>& called,
                              double seconds);

}  // namespace robust_kbench
