#include "archive/rows.hpp"

#include <utility>

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

constexpr EnumNames<ProposalOutcome, 6> outcome_names{
    "outcome of a proposal",
    {{{ProposalOutcome::open, ""},
      {ProposalOutcome::accepted, "accepted"},
      {ProposalOutcome::kept, "kept"},
      {ProposalOutcome::refused, "refused"},
      {ProposalOutcome::seed, "seed"},
      {ProposalOutcome::specialised, "specialised"}}}};

}  // namespace

std::string_view to_string(ProposalOutcome outcome) {
  return outcome_names.name_of(outcome);
}

ProposalOutcome parse_proposal_outcome(std::string_view name) {
  return outcome_names.parse(name);
}

void ProposalRow::refuse(std::string why_class, std::string why) {
  outcome = ProposalOutcome::refused;
  reason_class = std::move(why_class);
  reason = std::move(why);
}

}  // namespace robust_kbench
