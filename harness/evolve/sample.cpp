#include "evolve/sample.hpp"

#include "archive/refusal.hpp"
#include "evolve/evaluation.hpp"

namespace robust_kbench {

bool was_kept_back(const ProposalRow& row) {
  return row.reason_class == refusal::voted_out || row.reason_class == refusal::outranked;
}

bool was_tested(const ProposalRow& row) {
  return row.seconds.contains(to_string(EvaluationKind::screen));
}

}  // namespace robust_kbench
