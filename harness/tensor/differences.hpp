#pragma once

#include "tensor/host_differences.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// Compares two contiguous tensors of one shape on their own device. Both are int64, or the
// reference is float64 and the output float64 or float32.
Differences differences(const at::Tensor& actual, const at::Tensor& expected, double rtol);

}  // namespace robust_kbench
