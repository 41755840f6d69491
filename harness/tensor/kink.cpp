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

// The two rows of each 2 x 2 window of (..., H, W). To compare rows first is faster, since their
// elements lie side by side.
struct Rows {
  at::Tensor above;
  at::Tensor below;

  explicit Rows(const at::Tensor& x)
      : above(x.slice(-2, 0, x.size(-2) / 2 * 2, 2)),
        below(x.slice(-2, 1, x.size(-2) / 2 * 2, 2)) {}
};

struct Columns {
  at::Tensor left;
  at::Tensor right;

  explicit Columns(const at::Tensor& row)
      : left(row.slice(-1, 0, row.size(-1) / 2 * 2, 2)),
        right(row.slice(-1, 1, row.size(-1) / 2 * 2, 2)) {}
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
  const Rows of(x);
  const Columns greater(at::maximum(of.above, of.below));
  const Columns lesser(at::minimum(of.above, of.below));
  const at::Tensor greatest = at::maximum(greater.left, greater.right);
  const at::Tensor second =
      at::maximum(at::minimum(greater.left, greater.right), at::maximum(lesser.left, lesser.right));
  return greatest.sub(second).lt(distance_of_kink(x, in_float32));
}

at::Tensor greatest_of_windows(const at::Tensor& x) {
  const Rows of(x);
  const Columns greater(at::maximum(of.above, of.below));
  return at::maximum(greater.left, greater.right);
}

}  // namespace robust_kbench
