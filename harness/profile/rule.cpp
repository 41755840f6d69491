#include "profile/rule.hpp"

#include <algorithm>
#include <utility>

namespace robust_kbench {

double busiest(const KernelFacts& kernel) {
  return std::max(kernel.value("sm_throughput"), kernel.value("memory_throughput"));
}

std::string remedy_left(const KernelFacts& kernel, std::string_view beginning,
                        const std::vector<RemedyStep>& steps, std::string_view end,
                        std::string_view conjunction) {
  std::vector<std::string_view> left;
  for (const RemedyStep& step : steps) {
    if (!step.does || !kernel.does(*step.does)) left.push_back(step.text);
  }
  if (left.empty()) return "";
  std::string text = " " + std::string(beginning);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const bool is_last = i > 0 && i + 1 == left.size();
    text += is_last ? " " + std::string(conjunction) + " " : i > 0 ? ", " : "";
    text += left[i];
  }
  return text + std::string(end);
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
