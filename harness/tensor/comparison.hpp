#pragma once

#include <string>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

struct Comparison {
  bool equal = false;
  double max_abs = 0;   // greatest absolute difference among the finite elements
  double max_rel = 0;   // greatest relative difference
  std::string message;  // empty when equal; else reads like torch.testing.assert_close
};

// Compares a kernel's output with the float64 reference: dtype (float32, or the reference's own
// when integral), device, shape, strides of dimensions above size 1 (contiguous), positions of NaN
// and of each infinity, then |actual - expected| <= atol + rtol * |expected|. `name` is the
// output's.
Comparison compare(const std::string& name, const at::Tensor& actual, const at::Tensor& expected,
                   const Tolerance& tolerance);

}  // namespace robust_kbench
