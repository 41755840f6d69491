#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/precision_pool.hpp"
#include "filter/stand_in.hpp"

namespace robust_kbench {

// The test of one substitute for a kernel. Its answers are compared as those of a real kernel, with
// the same limits. Its errors are pooled over calls, too.
class StandInTrial {
 public:
  explicit StandInTrial(StandIn kernel) : m_kernel(std::move(kernel)) {}

  [[nodiscard]] const StandIn& kernel() const { return m_kernel; }
  [[nodiscard]] bool accepted() const { return !m_rejected_on; }
  // The case that it failed, and the reason.
  [[nodiscard]] const std::optional<std::string>& rejected_on() const { return m_rejected_on; }
  [[nodiscard]] const std::string& reason() const { return m_reason; }
  // Its largest error on that case, where it could be compared.
  [[nodiscard]] std::optional<double> error() const { return m_error; }

  // A rejected kernel is not judged again.
  void judge(const FilterSubject& subject, const Case& of, const Content& content,
             const std::vector<PrecisionLimits>& limits);

 private:
  void reject(const Case& of, std::string reason);

  StandIn m_kernel;
  std::optional<std::string> m_rejected_on;
  std::string m_reason;
  std::optional<double> m_error;
  PrecisionPools m_pools;
};

}  // namespace robust_kbench
