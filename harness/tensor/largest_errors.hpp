#pragma once

#include <string>
#include <vector>

#include "core/example.hpp"
#include "tensor/precision_limits.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// Up to three elements of the output called `name` that are beyond the limits, found on the
// tensors' own device. Misplaced NaN and infinities come first, then the largest errors. Equal
// errors keep their order. The tensors must be as for find_mismatches().
std::vector<Example> largest_errors(const std::string& name, const at::Tensor& actual,
                                    const at::Tensor& expected, const PrecisionLimits& limits);

}  // namespace robust_kbench
