#pragma once

#include <robust_kbench/task.hpp>

// Building blocks for Task::near_kink. They return bool tensors, true where float32 may decide
// otherwise than float64. This is where the decided value is within a limit of the kink. The limit
// is Task::kink_distance times the root mean square of the row's values. It is 100 times float32's
// error there if that is more. Planes of images are rows, and all values where rows are short.
//
// `x` has the values that are decided on, in the precision of the tensors: float64, or float32 for
// timed calls. `in_float32` has the same, computed in float32 from as_float32() of the tensors.
// Omit it if x is float32 itself. An input needs no mask: float32 represents it exactly, so every
// kernel decides as the reference does.
namespace robust_kbench {

// The tensors with every floating one converted to float32.
Tensors as_float32(const Tensors& tensors);

// For a ReLU of x. The result has the shape of x.
at::Tensor near_zero(const at::Tensor& x, const at::Tensor& in_float32 = {});

// For 2 x 2 max pooling with stride 2: x (..., H, W) -> (..., H / 2, W / 2). True where the two
// greatest elements of a window are close, so that either may win. An odd last row or column is
// left out.
at::Tensor near_pooling_tie(const at::Tensor& x, const at::Tensor& in_float32 = {});

// The greatest element of each such window. Many times as fast as torch's max_pool2d on a CPU.
at::Tensor greatest_of_windows(const at::Tensor& x);

}  // namespace robust_kbench
