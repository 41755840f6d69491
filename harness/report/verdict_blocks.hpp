#pragma once

#include <string>
#include <vector>

#include "core/record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// "layernorm.forward.two_pass".
std::string kernel_title(const KernelRecord& record);
// The target of the kernel at this place among the records.
std::string kernel_target(std::size_t index);

// The verdicts as a matrix of entries and kernels. The side that has fewer becomes the columns.
nlohmann::json verdict_blocks(const std::vector<KernelRecord>& records);

}  // namespace robust_kbench
