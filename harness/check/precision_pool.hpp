#pragma once

#include <map>
#include <string>
#include <vector>

#include "tensor/precision_limits.hpp"
#include "tensor/squared_errors.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The errors of one kernel in all compared elements of a config and kind of content, over calls. A
// small output errs at random in one call, and shows its precision in many.
class PrecisionPool {
 public:
  // Adds those of one right call, in the order of the outputs.
  void add(const std::vector<SquaredErrors>& of_outputs);

  // Which outputs are less precise than float32, and why. Empty where none is known to be.
  [[nodiscard]] std::string excess(const Contract& contract,
                                   const std::vector<PrecisionLimits>& limits) const;

 private:
  std::vector<SquaredErrors> m_of_outputs;
};

// The pools of one kernel, by content_kind().
using PrecisionPools = std::map<std::string, PrecisionPool>;

}  // namespace robust_kbench
