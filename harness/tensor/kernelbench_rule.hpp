#pragma once

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// KernelBench's tolerance for a float32 kernel, absolute and relative.
inline constexpr double kernelbench_tolerance = 1e-4;

// Whether KernelBench would accept the output: equal shapes, and torch.allclose with its tolerance.
// The reference here is the float64 one, not torch's float32 result.
bool is_kernelbench_close(const at::Tensor& actual, const at::Tensor& expected);

}  // namespace robust_kbench
