#include "tensor/reference.hpp"
#include "tensor/root_mean_square.hpp"
#include <robust_kbench/kink.hpp>

#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>

namespace robust_kbench {
namespace {

// Two orders of magnitude between the error of a decision and what counts as near: no element of
// millions errs by so much.
constexpr double float32_errors = 100.0;

// The four elements of each 2 x 2 window of (..., H, W), as four tensors of one element a window.
struct Windows {
  at::Tensor above_left;
  at::Tensor above_right;
  at::Tensor below_left;
  at::Tensor below_right;

  explicit Windows(const at::Tensor& x) {
    const std::int64_t height = x.size(-2) / 2 * 2;
    const std::int64_t width = x.size(-1) / 2 * 2;
    const at::Tensor above = x.slice(-2, 0, height, 2);
    const at::Tensor below = x.slice(-2, 1, height, 2);
    above_left = above.slice(-1, 0, width, 2);
    above_right = above.slice(-1, 1, width, 2);
    below_left = below.slice(-1, 0, width, 2);
    below_right = below.slice(-1, 1, width, 2);
  }
};

at::Tensor distance_of_kink(const at::Tensor& x, const at::Tensor& in_float32) {
  const at::Tensor of_magnitude = root_mean_square_tensor(x).mul(Task::kink_distance);
  if (!in_float32.defined()) return of_magnitude;
  const at::Tensor of_errors = root_mean_square_tensor(x.sub(in_float32)).mul(float32_errors);
  return at::maximum(of_magnitude, of_errors);
}

}  // namespace

Tensors as_float32(const Tensors& tensors) {
  return as_dtype(tensors, at::kFloat);
}

at::Tensor near_zero(const at::Tensor& x, const at::Tensor& in_float32) {
  return x.abs().lt(distance_of_kink(x, in_float32));
}

at::Tensor near_pooling_tie(const at::Tensor& x, const at::Tensor& in_float32) {
  const Windows of(x);
  const at::Tensor greater_above = at::maximum(of.above_left, of.above_right);
  const at::Tensor lesser_above = at::minimum(of.above_left, of.above_right);
  const at::Tensor greater_below = at::maximum(of.below_left, of.below_right);
  const at::Tensor lesser_below = at::minimum(of.below_left, of.below_right);
  const at::Tensor greatest = at::maximum(greater_above, greater_below);
  const at::Tensor second = at::maximum(at::minimum(greater_above, greater_below),
                                        at::maximum(lesser_above, lesser_below));
  return greatest.sub(second).lt(distance_of_kink(x, in_float32));
}

at::Tensor greatest_of_windows(const at::Tensor& x) {
  const Windows of(x);
  return at::maximum(at::maximum(of.above_left, of.above_right),
                     at::maximum(of.below_left, of.below_right));
}

}  // namespace robust_kbench
