#pragma once

#include <string>

#include "core/record.hpp"

namespace robust_kbench {

// What a person reads of a profile: which tools ran and which are missing, the findings kernel by
// kernel, then the advice, most valuable first.
std::string profile_summary(const KernelRecord& record);

}  // namespace robust_kbench
