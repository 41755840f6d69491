#pragma once

#include <cstddef>

#include "core/record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The chart of a kernel's samples. For each config and subject it has a box of the quartiles of all
// samples. At most `dots` of these are drawn, spread evenly over their order.
nlohmann::json sample_chart(const KernelRecord& record, std::size_t dots);

// The number of distributions in that chart.
std::size_t distributions_of(const KernelRecord& record);

}  // namespace robust_kbench
