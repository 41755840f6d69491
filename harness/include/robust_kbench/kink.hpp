#pragma once

#include <robust_kbench/task.hpp>

// Building blocks for Task::near_kink: bool tensors, true where float32 may decide otherwise than
// float64. The limit is Task::kink_distance, times the root mean square of what is decided. It is
// 100 times the error that float32 makes there where that is farther.
//
// `x` is what is decided, in the precision of the tensors: float64, or float32 for timed calls.
// `in_float32` is the same computed in float32, from as_float32() of the tensors. It is left out
// where x is an input, which float32 holds exactly, and where x is in float32 itself.
namespace robust_kbench {

// The same tensors with every floating one in float32.
Tensors as_float32(const Tensors& tensors);

// Shaped like x, the argument of a ReLU.
at::Tensor near_zero(const at::Tensor& x, const at::Tensor& in_float32 = {});

// x (..., H, W) -> (..., H / 2, W / 2), for 2 x 2 max pooling with stride 2. True where the two
// greatest elements of a window are close, so that either may win. An odd last row or column is
// left out.
at::Tensor near_pooling_tie(const at::Tensor& x, const at::Tensor& in_float32 = {});

// The greatest element of each such window, many times as fast as torch's max_pool2d on a CPU.
at::Tensor greatest_of_windows(const at::Tensor& x);

}  // namespace robust_kbench
