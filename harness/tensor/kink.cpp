#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tensor/reference.hpp"
#include "tensor/root_mean_square.hpp"
#include <robust_kbench/kink.hpp>

#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>

namespace robust_kbench {
namespace {

// A distance counts as near up to 100 times the root mean square error of float32. Even among
// millions of elements none errs by so much.
constexpr double float32_errors = 100.0;
// The root mean square of fewer elements says little of the terms that they are the sums of.
constexpr std::int64_t least_row = 16;

// The two halves of each 2 x 2 window of (..., H, W): its rows for dimension -2, its columns for
// -1.
struct Halves {
  at::Tensor first;
  at::Tensor second;

  Halves(const at::Tensor& x, std::int64_t dim)
      : first(x.slice(dim, 0, x.size(dim) / 2 * 2, 2)),
        second(x.slice(dim, 1, x.size(dim) / 2 * 2, 2)) {}
};

// The root mean square of each row, or of all elements where rows are short. One large row says
// nothing of the decisions in others.
at::Tensor size_of_rows(const at::Tensor& x, std::int64_t dimensions) {
  std::vector<std::int64_t> reduced;
  std::int64_t length = 1;
  for (std::int64_t d = 1; d <= std::min(dimensions, x.dim()); ++d) {
    reduced.push_back(-d);
    length *= x.size(-d);
  }
  if (length < least_row) return root_mean_square_tensor(x);
  return at::linalg_vector_norm(x.nan_to_num(0.0, 0.0, 0.0), 2, reduced, /*keepdim=*/true,
                                at::kDouble)
      .div(std::sqrt(static_cast<double>(length)))
      .to(x.scalar_type());
}

// Rows are along the last `dimensions` dimensions.
at::Tensor distance_of_kink(const at::Tensor& x, const at::Tensor& in_float32,
                            std::int64_t dimensions) {
  const at::Tensor of_magnitude = size_of_rows(x, dimensions).mul(Task::kink_distance);
  if (!in_float32.defined()) return of_magnitude;
  const at::Tensor of_errors = size_of_rows(x.sub(in_float32), dimensions).mul(float32_errors);
  return at::maximum(of_magnitude, of_errors);
}

}  // namespace

Tensors as_float32(const Tensors& tensors) {
  return as_dtype(tensors, at::kFloat);
}

at::Tensor near_zero(const at::Tensor& x, const at::Tensor& in_float32) {
  return x.abs().lt(distance_of_kink(x, in_float32, x.dim() < 4 ? 1 : 2));
}

at::Tensor near_pooling_tie(const at::Tensor& x, const at::Tensor& in_float32) {
  // Rows come first, since their elements lie side by side.
  const Halves rows(x, -2);
  const Halves greater(at::maximum(rows.first, rows.second), -1);
  const Halves lesser(at::minimum(rows.first, rows.second), -1);
  const at::Tensor greatest = at::maximum(greater.first, greater.second);
  const at::Tensor second = at::maximum(at::minimum(greater.first, greater.second),
                                        at::maximum(lesser.first, lesser.second));
  return greatest.sub(second).lt(distance_of_kink(x, in_float32, 2));
}

at::Tensor greatest_of_windows(const at::Tensor& x) {
  const Halves rows(x, -2);
  const Halves greater(at::maximum(rows.first, rows.second), -1);
  return at::maximum(greater.first, greater.second);
}

}  // namespace robust_kbench
