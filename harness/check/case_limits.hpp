#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "check/call_checker.hpp"
#include "core/case.hpp"
#include "tensor/precision_limits.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// The limits for a case's content from `seed`. They are measured on further content of its kind,
// which `draw` makes from a seed.
std::vector<PrecisionLimits> case_limits(
    const Workload& workload, const Case& of, std::uint64_t seed,
    const std::function<std::shared_ptr<const Content>(std::uint64_t seed)>& draw);

}  // namespace robust_kbench
