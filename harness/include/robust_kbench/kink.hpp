#pragma once

#include <ATen/core/Tensor.h>

// Building blocks for Task::near_kink: bool tensors, true within Task::kink_distance of a decision.
namespace robust_kbench {

// Shaped like x, the argument of a ReLU.
at::Tensor near_zero(const at::Tensor& x);

// x (..., H, W) -> (..., H / 2, W / 2): true where the two greatest elements of a 2 x 2 window of
// max pooling (stride 2, the last odd row and column left out) are close, so either may win.
at::Tensor near_pooling_tie(const at::Tensor& x);

}  // namespace robust_kbench
