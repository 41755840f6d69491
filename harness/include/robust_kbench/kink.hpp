#pragma once

#include <ATen/core/Tensor.h>

// Building blocks for Task::near_kink: bool tensors, true within Task::kink_distance of a decision.
namespace robust_kbench {

// Shaped like x, the argument of a ReLU.
at::Tensor near_zero(const at::Tensor& x);

// x (..., H, W) -> (..., H / 2, W / 2), for 2 x 2 max pooling with stride 2. True where the two
// greatest elements of a window are close, so that either may win. An odd last row or column is
// left out.
at::Tensor near_pooling_tie(const at::Tensor& x);

}  // namespace robust_kbench
