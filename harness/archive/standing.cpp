#include "archive/standing.hpp"

namespace robust_kbench {

bool is_accepted(const ProposalRow& proposal) {
  return proposal.outcome == ProposalOutcome::accepted ||
         proposal.outcome == ProposalOutcome::specialised;
}

bool has_confirmed_winner(const RunRow& run) {
  return run.winner != 0 && run.summary.contains("confirmed");
}

std::string standing(const RunRow& run, const ProposalRow& proposal) {
  if (proposal.outcome == ProposalOutcome::open) return "open";
  if (!is_accepted(proposal)) return std::string(to_string(proposal.outcome));
  std::string text = "accepted";
  if (proposal.id == run.winner) {
    text += has_confirmed_winner(run) ? ", winner, confirmed" : ", winner, not confirmed";
  }
  if (proposal.outcome == ProposalOutcome::specialised) text += ", specialised";
  return text;
}

}  // namespace robust_kbench
