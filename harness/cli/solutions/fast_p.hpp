#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace robust_kbench {

// Returns whether KernelBench would take the kernel for right, since each trial on the problem's
// own shape is within its tolerance. None where that shape was not tested, or where a rule of ours
// ended a trial before outputs were compared.
std::optional<bool> kernelbench_accepts(const KernelRecord& record);

// Returns fast_p by both rules: the share of solutions that are right and more than p times as fast
// as eager. Below it stands what KernelBench accepts and we reject, by verdict. `refused` counts
// solutions without a record as wrong.
std::string fast_p_text(const std::vector<KernelRecord>& records, std::size_t refused);

// Tells of the host's code around the kernel calls of each solution that is more than one call.
std::string glue_text(const std::vector<KernelRecord>& records);

}  // namespace robust_kbench
