#pragma once

#include "tensor/squared_errors.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// The differences between an output and its reference.
struct Differences {
  // The greatest of |actual - expected| - rtol * |expected|. It is infinite if NaN or an infinity
  // is not where the reference has it.
  double beyond = 0;
  // These three count only elements that are finite in both tensors.
  double max_abs = 0;
  double max_rel = 0;
  SquaredErrors squares;
};

// Compares two contiguous tensors of one shape on their own device. Both are int64, or the
// reference is float64 and the output float64 or float32.
Differences differences(const at::Tensor& actual, const at::Tensor& expected, double rtol);

}  // namespace robust_kbench
