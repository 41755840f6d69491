#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "check/batch.hpp"
#include "check/output_check.hpp"
#include "check/precision_pool.hpp"
#include "tensor/precision_limits.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// Compares calls of one config with the float64 reference.
class Referee {
 public:
  // `limits` are those of the workload's outputs, in their order.
  Referee(const Workload& workload, std::vector<PrecisionLimits> limits)
      : m_workload(workload), m_limits(std::move(limits)) {}

  std::vector<at::Tensor> expected(const Tensors& content);

  // Compares the outputs of one call with `tolerance_scale` times the limits.
  [[nodiscard]] OutputCheck check(const std::vector<at::Tensor>& outputs,
                                  const std::vector<at::Tensor>& expected,
                                  double tolerance_scale = 1) const;
  // The same for outputs of a baseline. Torch may return a transposed view, which its callers
  // accept. Passes for a scale of 0, since such outputs are not compared.
  [[nodiscard]] OutputCheck check_baseline(std::vector<at::Tensor> outputs,
                                           const std::vector<at::Tensor>& expected,
                                           double tolerance_scale) const;

  // A finding if the calls whose errors the pool holds are less precise than float32.
  [[nodiscard]] std::optional<Judgement> imprecise(const PrecisionPool& pool) const;

  // True if torch's own float32 is within the limits. It is so on the contents of every case. Among
  // thousands of timed calls one may need more precision than float32 has.
  [[nodiscard]] bool fair(const Tensors& content, const std::vector<at::Tensor>& expected) const;

  // The time spent on making references so far.
  [[nodiscard]] std::chrono::duration<double> time_spent() const { return m_time_spent; }

 private:
  Workload m_workload;
  std::vector<PrecisionLimits> m_limits;
  std::chrono::duration<double> m_time_spent{0};
};

// The references of the calls of one batch. They are made when asked for and shared by its
// subjects.
class BatchReferences {
 public:
  BatchReferences(Referee& referee, const std::vector<Tensors>& calls)
      : m_referee(referee), m_calls(calls) {}

  const std::vector<at::Tensor>& operator[](std::size_t call) {
    const auto [found, added] = m_made.try_emplace(call);
    if (added) found->second = m_referee.expected(m_calls[call]);
    return found->second;
  }

 private:
  Referee& m_referee;
  const std::vector<Tensors>& m_calls;
  std::map<std::size_t, std::vector<at::Tensor>> m_made;
};

}  // namespace robust_kbench
