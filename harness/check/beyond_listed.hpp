#pragma once

#include <vector>

#include "core/case.hpp"
#include "core/record.hpp"

namespace robust_kbench {

// Extends the reason of a failed case that is not a listed one. The reason then says what the case
// tests, how many listed cases were right, and which option leaves it out. `called` are the records
// of the cases before.
void tell_beyond_listed(CaseRecord& failed, const Case& c, const std::vector<CaseRecord>& called);

}  // namespace robust_kbench
