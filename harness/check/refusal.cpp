#include "check/refusal.hpp"

namespace robust_kbench {

bool may_refuse(const Case& c, Device device) {
  return !c.is_listed() || (device == Device::cuda && c.config.set == ConfigSet::small);
}

Judgement refused(const Judgement& thrown) {
  return {.verdict = Verdict::skipped, .reason = "refused: " + thrown.reason};
}

}  // namespace robust_kbench
