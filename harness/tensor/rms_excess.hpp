#pragma once

#include <cstdint>
#include <string>

#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"

namespace robust_kbench {

// Fewer elements are too noisy to judge: one may err by many times the usual error of its sum.
inline constexpr std::int64_t min_judged_elements = 4096;
// Elements of so many calls are enough, however few they are. Those of one call share what errs, as
// the mean of a row, and those of others do not.
inline constexpr std::int64_t min_judged_calls = 512;

// Says that the root mean square of an output's errors is beyond its limit, with the likely cause.
// Empty if it is not, or if the elements of so many calls are too few to be judged. The limit grows
// with outputs that are larger than usual.
std::string rms_excess(const std::string& output, const RmsLimit& limit,
                       const SquaredErrors& squares, std::int64_t calls = 1);

}  // namespace robust_kbench
