#include "check/detect/damaged_log.hpp"

namespace robust_kbench {

std::optional<Judgement> damaged_log(const BatchEvidence& evidence) {
  return evidence.log.broken;
}

}  // namespace robust_kbench
