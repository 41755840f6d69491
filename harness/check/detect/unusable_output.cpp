#include "check/detect/unusable_output.hpp"

#include <string>

namespace robust_kbench {

std::optional<Finding> unusable_output(const BatchEvidence& evidence) {
  for (std::size_t i = 0; i < evidence.outputs.size(); ++i) {
    if (!evidence.outputs[i].problem) continue;
    return Finding{.message =
                       "Output " + std::to_string(i) + " " + *evidence.outputs[i].problem + "."};
  }
  return std::nullopt;
}

}  // namespace robust_kbench
