#include "check/detect/unusable_output.hpp"

#include <string>

namespace robust_kbench {

std::optional<Judgement> unusable_output(const BatchEvidence& evidence) {
  for (std::size_t i = 0; i < evidence.outputs.size(); ++i) {
    if (!evidence.outputs[i].problem) continue;
    return wrong_result("Output " + std::to_string(i) + " " + *evidence.outputs[i].problem + ".");
  }
  return std::nullopt;
}

}  // namespace robust_kbench
