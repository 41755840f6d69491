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

constexpr EnumNames<ProposalStage, 7> stage_names{"stage of a proposal",
                                                  {{{ProposalStage::proposed, "proposed"},
                                                    {ProposalStage::parsed, "parsed"},
                                                    {ProposalStage::compiled, "compiled"},
                                                    {ProposalStage::tested, "tested"},
                                                    {ProposalStage::raced, "raced"},
                                                    {ProposalStage::profiled, "profiled"},
                                                    {ProposalStage::archived, "archived"}}}};

constexpr EnumNames<RunState, 3> run_state_names{"state of a run",
                                                 {{{RunState::running, "running"},
                                                   {RunState::ended, "ended"},
                                                   {RunState::interrupted, "interrupted"}}}};

}  // namespace

std::string_view to_string(ProposalStage stage) {
  return stage_names.name_of(stage);
}

ProposalStage parse_proposal_stage(std::string_view name) {
  return stage_names.parse(name);
}

std::string_view to_string(ProposalOutcome outcome) {
  return outcome_names.name_of(outcome);
}

ProposalOutcome parse_proposal_outcome(std::string_view name) {
  return outcome_names.parse(name);
}

std::string_view to_string(RunState state) {
  return run_state_names.name_of(state);
}

RunState parse_run_state(std::string_view name) {
  return run_state_names.parse(name);
}

void ProposalRow::refuse(std::string why_class, std::string why) {
  outcome = ProposalOutcome::refused;
  reason_class = std::move(why_class);
  reason = std::move(why);
}

}  // namespace robust_kbench
