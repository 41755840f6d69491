#include "tensor/root_mean_square.hpp"

#include <algorithm>
#include <cmath>

namespace robust_kbench {

double root_mean_square(const at::Tensor& tensor) {
  const at::Tensor finite = tensor.isfinite();
  const auto count = finite.sum().item<double>();
  const at::Tensor values = tensor.to(at::kDouble).masked_fill(finite.logical_not(), 0.0);
  return std::sqrt(values.square().sum().item<double>() / std::max(count, 1.0));
}

}  // namespace robust_kbench
