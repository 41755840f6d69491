#include "evolve/sample.hpp"

#include "evolve/evaluation.hpp"

namespace robust_kbench {

bool was_kept_back(const ProposalRow& row) {
  return row.reason_class == voted_out || row.reason_class == outranked;
}

bool was_tested(const ProposalRow& row) {
  return row.seconds.contains(to_string(EvaluationKind::screen));
}

}  // namespace robust_kbench
