#include <robust_kbench/kink.hpp>
#include <robust_kbench/task.hpp>

#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>

namespace robust_kbench {

at::Tensor near_zero(const at::Tensor& x) {
  return x.abs().lt(Task::kink_distance);
}

at::Tensor near_pooling_tie(const at::Tensor& x) {
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
  return greatest.sub(second).lt(Task::kink_distance);
}

}  // namespace robust_kbench
