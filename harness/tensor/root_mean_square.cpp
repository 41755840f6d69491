#include "tensor/root_mean_square.hpp"

#include <algorithm>
#include <cmath>

#include <ATen/ops/linalg_vector_norm.h>

namespace robust_kbench {

double root_mean_square(const at::Tensor& tensor) {
  const auto norm = at::linalg_vector_norm(tensor, 2, c10::nullopt, /*keepdim=*/false, at::kDouble)
                        .item<double>();
  if (std::isfinite(norm)) {
    return norm / std::sqrt(std::max(1.0, static_cast<double>(tensor.numel())));
  }
  const at::Tensor finite = tensor.isfinite();
  const auto count = finite.sum().item<double>();
  const at::Tensor values = tensor.to(at::kDouble).masked_fill(finite.logical_not(), 0.0);
  return std::sqrt(values.square().sum().item<double>() / std::max(count, 1.0));
}

}  // namespace robust_kbench
