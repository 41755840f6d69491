#include "core/judgement.hpp"

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

}  // namespace robust_kbench
