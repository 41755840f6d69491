#pragma once

#include <cstdint>
#include <string>

#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"

namespace robust_kbench {

// Fewer elements are noise: one may err by many times what the same sum usually errs by.
inline constexpr std::int64_t min_judged_elements = 4096;

// Why the root mean square of the errors of an output is beyond its limit, with the likely cause.
// Empty where it is not, or where the elements are too few to be judged. The limit grows with
// outputs that are larger than usual.
std::string rms_excess(const std::string& output, const RmsLimit& limit,
                       const SquaredErrors& squares);

}  // namespace robust_kbench
