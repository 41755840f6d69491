#pragma once

#include <string>
#include <vector>

#include "core/example.hpp"
#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

struct Comparison {
  bool equal = false;     // within the absolute and relative limit; SquaredErrors are not judged
  double max_abs = 0;     // greatest absolute difference among the finite elements
  double max_rel = 0;     // greatest relative difference
  SquaredErrors squares;  // of the elements
  std::string message;    // empty when equal; else reads like torch.testing.assert_close
  std::vector<Example> examples = {};  // of elements beyond the limits; the message quotes them
};

// Compares what a kernel returned as `output` with the float64 reference. The order is dtype,
// device, shape, then strides, which must be contiguous in dimensions above size 1. Next are the
// positions of NaN and of each infinity. Last is |actual - expected| <= atol + rtol * |expected|.
// The reference of an integral output has its dtype.
Comparison compare(const Output& output, const PrecisionLimits& limits, const at::Tensor& actual,
                   const at::Tensor& expected);

}  // namespace robust_kbench
