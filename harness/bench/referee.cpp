#include "bench/referee.hpp"

#include <algorithm>

#include "check/output_check.hpp"
#include "device/cuda_driver.hpp"
#include "tensor/comparison.hpp"
#include "tensor/reference.hpp"

namespace robust_kbench {

std::vector<at::Tensor> Referee::expected(const Tensors& content) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<at::Tensor> expected = reference(m_workload, content);
  const bool on_gpu = std::any_of(expected.begin(), expected.end(), [](const at::Tensor& tensor) {
    return tensor.defined() && tensor.is_cuda();
  });
  // Waits for the GPU, since only finished work counts as time spent.
  if (on_gpu) cuda_driver().check(cuda_driver().synchronize(), "cuCtxSynchronize");
  m_time_spent += std::chrono::steady_clock::now() - start;
  return expected;
}

std::optional<Judgement> Referee::check(const std::vector<at::Tensor>& outputs,
                                        const std::vector<at::Tensor>& expected,
                                        double tolerance_scale) const {
  Contract loosened = m_workload.contract();
  for (Output& output : loosened.outputs) {
    output.tolerance = tolerance_of(output);
    output.tolerance->atol *= tolerance_scale;
    output.tolerance->rtol *= tolerance_scale;
  }
  const Judgement judgement = check_outputs(loosened, outputs, expected).judgement;
  if (judgement.passes()) return std::nullopt;
  return judgement;
}

bool Referee::fair(const Tensors& content, const std::vector<at::Tensor>& expected) const {
  return !check(eager(m_workload, content), expected);
}

}  // namespace robust_kbench
