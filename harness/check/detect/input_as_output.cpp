#include "check/detect/input_as_output.hpp"

#include <string>

namespace robust_kbench {

std::optional<Judgement> input_as_output(const BatchEvidence& evidence) {
  for (std::size_t i = 0; i < evidence.outputs.size(); ++i) {
    if (!evidence.outputs[i].aliases_input) continue;
    return cheat(
        CheatClass::input_as_output,
        "output " + std::to_string(i) + " is the memory of an input, which is not the answer");
  }
  return std::nullopt;
}

}  // namespace robust_kbench
