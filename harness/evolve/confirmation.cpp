#include "evolve/confirmation.hpp"

#include "evolve/acceptance.hpp"
#include "evolve/race_figures.hpp"
#include "evolve/stop_rule.hpp"

namespace robust_kbench {
namespace {

Confirmation refuse(ProposalRow& row, const std::string& reason) {
  row.refuse("confirmation", reason);
  return {};
}

Confirmation refuse_as_wrong(ProposalRow& row, const std::string& reason) {
  forget_speedup(row);
  return refuse(row, reason);
}

}  // namespace

Confirmation confirm(Gate& gate, const Candidate& winner, const ConfirmationRace& race,
                     ProposalRow& row) {
  std::map<std::string, const Candidate*> rivals = race.others;
  rivals[parent_rival] = &race.first_parent;
  const KernelRecord again = gate.evaluate(EvaluationKind::confirm, winner, rivals, 1, row).record;
  // It may be right, and cannot be replayed without its host code.
  if (again.judgement.verdict == Verdict::skipped) return refuse(row, again.judgement.reason);
  if (!again.judgement.passes()) return refuse_as_wrong(row, again.judgement.reason);
  const RaceJudgement raced = judge_race(again.timings, parent_rival, race.slower_limit);
  if (raced.result != RaceResult::faster) {
    return refuse(row, "not faster again: " + raced.reason);
  }
  const KernelRecord unseen =
      gate.evaluate(EvaluationKind::unseen, winner, {{parent_rival, &race.first_parent}}, 1, row)
          .record;
  const bool declines = unseen.judgement.verdict == Verdict::exception;
  if (!unseen.judgement.passes() && !declines) {
    return refuse_as_wrong(row, "on configs that were not seen: " + unseen.judgement.reason);
  }
  const RaceJudgement elsewhere = judge_race(unseen.timings, parent_rival, race.slower_limit);
  const bool fixed_shapes =
      unseen.judgement.passes() && unseen.timings.empty() && unseen.timing_note.empty();
  if (!fixed_shapes && elsewhere.result != RaceResult::faster) {
    row.outcome = ProposalOutcome::specialised;
    row.reason_class = "specialised";
    row.reason =
        "on configs that were not seen: " + (declines ? unseen.judgement.reason : elsewhere.reason);
  }
  return {.holds = true,
          .at_least_time = at_least_time(again.timings, race.empty_us),
          .figures = {{"confirmed", by_subject(again.mean_speedups)},
                      {"estimated", estimated_speedups(again.timings)},
                      {"times_us", times_of(again.timings, "kernel")},
                      {"unseen", by_subject(unseen.mean_speedups)}}};
}

}  // namespace robust_kbench
