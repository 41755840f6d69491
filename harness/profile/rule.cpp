#include "profile/rule.hpp"

#include <algorithm>
#include <utility>

namespace robust_kbench {

double busiest(const KernelFacts& kernel) {
  return std::max(kernel.value("sm_throughput"), kernel.value("memory_throughput"));
}

Advice advice(const char* rule, const KernelFacts& kernel, double stake, std::string text,
              std::vector<ToolFinding> because) {
  return {.rule = rule,
          .kernel = kernel.kernel(),
          .stake = std::clamp(stake, 0.0, 1.0),
          .text = std::move(text),
          .because = std::move(because)};
}

}  // namespace robust_kbench
