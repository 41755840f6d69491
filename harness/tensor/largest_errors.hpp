#pragma once

#include <string>
#include <vector>

#include "core/example.hpp"
#include "tensor/precision_limits.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// Up to three elements of the output called `name` that are beyond the limits, found on the
// tensors' own device. NaN and infinity out of place come first, then the largest errors. Equal
// ones keep their order. The tensors are those of find_mismatches().
std::vector<Example> largest_errors(const std::string& name, const at::Tensor& actual,
                                    const at::Tensor& expected, const PrecisionLimits& limits);

}  // namespace robust_kbench
