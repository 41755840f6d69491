#pragma once

#include <string>

#include "core/record.hpp"

namespace robust_kbench {

// The summary of a profile for a person. First it lists the tools that ran and those that are
// missing, then the findings kernel by kernel. Last comes the advice, most valuable first.
std::string profile_summary(const KernelRecord& record);

}  // namespace robust_kbench
