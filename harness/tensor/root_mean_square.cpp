#include "tensor/root_mean_square.hpp"

#include <cmath>

#include <ATen/ops/linalg_vector_norm.h>

namespace robust_kbench {

double root_mean_square(const at::Tensor& tensor) {
  return root_mean_square_tensor(tensor).item<double>();
}

at::Tensor root_mean_square_tensor(const at::Tensor& tensor) {
  // Usually all elements are finite. Asking a GPU whether they are would mean to wait for it.
  if (tensor.is_cpu() && tensor.numel() > 0) {
    const at::Tensor norm =
        at::linalg_vector_norm(tensor, 2, c10::nullopt, /*keepdim=*/false, at::kDouble);
    if (std::isfinite(norm.item<double>())) {
      return norm.div(std::sqrt(static_cast<double>(tensor.numel())));
    }
  }
  const at::Tensor norm = at::linalg_vector_norm(tensor.nan_to_num(0.0, 0.0, 0.0), 2, c10::nullopt,
                                                 /*keepdim=*/false, at::kDouble);
  return norm.div(tensor.isfinite().sum().clamp_min(1).to(at::kDouble).sqrt());
}

}  // namespace robust_kbench
