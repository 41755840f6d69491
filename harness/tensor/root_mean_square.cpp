#include "tensor/root_mean_square.hpp"

namespace robust_kbench {

double root_mean_square(const at::Tensor& tensor) {
  return root_mean_square_tensor(tensor).item<double>();
}

at::Tensor root_mean_square_tensor(const at::Tensor& tensor) {
  const at::Tensor finite = tensor.isfinite();
  const at::Tensor values = tensor.to(at::kDouble).masked_fill(finite.logical_not(), 0.0);
  return values.square().sum().div(finite.sum().clamp_min(1)).sqrt();
}

}  // namespace robust_kbench
