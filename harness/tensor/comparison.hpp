#pragma once

#include <string>
#include <vector>

#include "core/example.hpp"
#include "tensor/output_parts.hpp"
#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

struct Comparison {
  bool equal = false;     // within the absolute and relative limit; SquaredErrors are not judged
  double max_abs = 0;     // greatest absolute difference among the finite elements
  double max_rel = 0;     // greatest relative difference
  SquaredErrors squares;  // of the finite elements
  std::vector<SquaredErrors> parts = {};  // the same of each part
  std::string message;  // empty when equal; else reads like torch.testing.assert_close
  std::vector<Example> examples = {};  // of elements beyond the limits; the message quotes them
};

// Compares a kernel's output with the float64 reference. It checks dtype, device and shape, then
// strides, which must be contiguous in dimensions above size 1. The positions of NaN and of each
// infinity must agree, too. Last, |actual - expected| <= atol + rtol * |expected| must hold. The
// reference of an integral output has its dtype. The elements of each of `parts` must be within the
// limits of that part, too, where the limits have parts.
Comparison compare(const Output& output, const PrecisionLimits& limits, const at::Tensor& actual,
                   const at::Tensor& expected, const std::vector<OutputPart>& parts = {});

}  // namespace robust_kbench
