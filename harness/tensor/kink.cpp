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
  const std::int64_t height = x.size(-2) / 2 * 2;
  const std::int64_t width = x.size(-1) / 2 * 2;
  const auto corner = [&](std::int64_t row, std::int64_t column) {
    return x.slice(-2, row, height, 2).slice(-1, column, width, 2);
  };
  const at::Tensor greater_above = at::maximum(corner(0, 0), corner(0, 1));
  const at::Tensor lesser_above = at::minimum(corner(0, 0), corner(0, 1));
  const at::Tensor greater_below = at::maximum(corner(1, 0), corner(1, 1));
  const at::Tensor lesser_below = at::minimum(corner(1, 0), corner(1, 1));
  const at::Tensor greatest = at::maximum(greater_above, greater_below);
  const at::Tensor second = at::maximum(at::minimum(greater_above, greater_below),
                                        at::maximum(lesser_above, lesser_below));
  return greatest.sub(second).lt(distance_of_kink(x, in_float32));
}

}  // namespace robust_kbench
