#pragma once

#include <vector>

#include "core/record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// All kernels with their mean speed-ups over eager, compile and the best baseline, fastest first.
nlohmann::json speedup_blocks(const std::vector<KernelRecord>& records);

// The share of its roofline that each kernel reaches; empty where no record has a roofline.
nlohmann::json roofline_blocks(const std::vector<KernelRecord>& records);

}  // namespace robust_kbench
