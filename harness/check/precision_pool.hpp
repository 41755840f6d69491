#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// A kernel's errors in all compared elements of a config and kind of content, summed over calls.
// The error of a small output varies in one call, but many calls show its precision.
class PrecisionPool {
 public:
  // Adds the errors of right calls: those of each output, which those of its parts follow.
  void add(const std::vector<SquaredErrors>& of_outputs, std::int64_t calls = 1);

  // Says which outputs are less precise than float32, and why. Empty if none is known to be.
  [[nodiscard]] std::string excess(const Contract& contract,
                                   const std::vector<PrecisionLimits>& limits) const;

 private:
  std::vector<SquaredErrors> m_of_outputs;
  std::int64_t m_calls = 0;
};

// The pools of one kernel, by content_kind().
using PrecisionPools = std::map<std::string, PrecisionPool>;

}  // namespace robust_kbench
