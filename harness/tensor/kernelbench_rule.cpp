#include "tensor/kernelbench_rule.hpp"

#include "tensor/differences.hpp"
#include "tensor/torch_cuda.hpp"

namespace robust_kbench {

bool is_kernelbench_close(const at::Tensor& actual, const at::Tensor& expected) {
  if (actual.sizes() != expected.sizes() || actual.device() != expected.device()) return false;
  const auto is_close = [&] {
    const bool floating = expected.is_floating_point() || actual.is_floating_point();
    const at::ScalarType dtype = floating ? at::kDouble : at::kLong;
    return differences(actual.to(dtype).contiguous(), expected.to(dtype).contiguous(),
                       kernelbench_tolerance)
               .beyond <= kernelbench_tolerance;
  };
  return expected.is_cpu() ? is_close() : with_gpu_memory(is_close);
}

}  // namespace robust_kbench
