#include "bench/referee.hpp"

#include <algorithm>

#include "device/cuda_driver.hpp"
#include "tensor/reference.hpp"

namespace robust_kbench {

std::vector<at::Tensor> Referee::expected(const Tensors& content) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<at::Tensor> expected = reference(m_workload, content);
  const bool on_gpu = std::any_of(expected.begin(), expected.end(), [](const at::Tensor& tensor) {
    return tensor.defined() && tensor.is_cuda();
  });
  // This waits for the GPU, since only finished work counts as time spent.
  if (on_gpu) cuda_driver().check(cuda_driver().synchronize(), "cuCtxSynchronize");
  m_time_spent += std::chrono::steady_clock::now() - start;
  return expected;
}

OutputCheck Referee::check(const std::vector<at::Tensor>& outputs,
                           const std::vector<at::Tensor>& expected, double tolerance_scale) const {
  std::vector<PrecisionLimits> scaled;
  for (const PrecisionLimits& limits : m_limits) scaled.push_back(limits.times(tolerance_scale));
  return check_outputs(m_workload.contract(), scaled, outputs, expected);
}

OutputCheck Referee::check_baseline(std::vector<at::Tensor> outputs,
                                    const std::vector<at::Tensor>& expected,
                                    double tolerance_scale) const {
  if (tolerance_scale == 0) return {.judgement = passed(), .errors = {}, .squares = {}};
  for (at::Tensor& output : outputs) {
    if (output.defined()) output = output.contiguous();
  }
  return check(outputs, expected, tolerance_scale);
}

std::optional<Judgement> Referee::imprecise(const PrecisionPool& pool) const {
  std::string excess = pool.excess(m_workload.contract(), m_limits);
  if (excess.empty()) return std::nullopt;
  return Judgement{.verdict = Verdict::wrong_result, .reason = std::move(excess)};
}

bool Referee::fair(const Tensors& content, const std::vector<at::Tensor>& expected) const {
  return check(eager(m_workload, content), expected).judgement.passes();
}

}  // namespace robust_kbench
