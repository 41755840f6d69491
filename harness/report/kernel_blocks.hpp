#pragma once

#include <vector>

#include "core/record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// One kernel at a time, chosen from all: its samples by config and subject, its timings, and what
// other estimators say.
nlohmann::json kernel_blocks(const std::vector<KernelRecord>& records);

}  // namespace robust_kbench
