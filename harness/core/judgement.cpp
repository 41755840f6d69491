#include "core/judgement.hpp"

#include <sstream>

namespace robust_kbench {

Judgement passed() {
  return {.verdict = Verdict::pass};
}

Judgement wrong_result(std::string reason) {
  return {.verdict = Verdict::wrong_result, .reason = std::move(reason)};
}

Judgement cheat(CheatClass cheat_class, std::string reason) {
  return {Verdict::cheat, cheat_class, std::move(reason)};
}

std::string label(const Judgement& judgement) {
  std::string verdict(to_string(judgement.verdict));
  if (judgement.cheat_class == CheatClass::none) return verdict;
  return verdict + " (" + std::string(to_string(judgement.cheat_class)) + ")";
}

std::string with_output(const Judgement& judgement) {
  if (judgement.output.empty()) return judgement.reason;
  std::string text = judgement.reason;
  if (!text.empty()) text += "\n";
  text += "its last output:";
  std::istringstream lines(judgement.output);
  for (std::string line; std::getline(lines, line);) text += "\n| " + line;
  return text;
}

}  // namespace robust_kbench
