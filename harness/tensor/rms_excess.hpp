#pragma once

#include <cstdint>
#include <string>

#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"

namespace robust_kbench {

// Fewer elements are too noisy to judge: one may err by many times the usual error of its sum.
inline constexpr std::int64_t min_judged_elements = 4096;

// Says that the root mean square of an output's errors is beyond its limit, with the likely cause.
// Empty if it is not, or if the elements are too few to be judged. The limit grows with outputs
// that are larger than usual.
std::string rms_excess(const std::string& output, const RmsLimit& limit,
                       const SquaredErrors& squares);

}  // namespace robust_kbench
