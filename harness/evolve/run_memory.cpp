#include "evolve/run_memory.hpp"

#include <algorithm>
#include <utility>

#include "archive/refusal.hpp"
#include "archive/stored_record.hpp"
#include "evolve/evaluation.hpp"

namespace robust_kbench {

void RunMemory::add(const Sample& sample) {
  const ProposalRow& row = sample.row;
  const bool accepted = sample.result.accepted;
  const ProposalFailure failure{row.reason_class, row.reason, record_of(m_archive, row)};
  sample.begun.proposer->learn({.text = sample.child.text,
                                .accepted = accepted,
                                .speedup = row.speedup,
                                .id = row.id,
                                .failure = failure});
  add_setting(row, sample.result.timings);
  if (sample.votes) add_votes(sample, failure.record);
  if (sample.child.text.empty()) return;  // there was nothing to try
  m_tried.push_back({.strategy = row.strategy,
                     .outcome = accepted ? std::string(to_string(row.outcome)) : row.reason_class,
                     .speedup = row.speedup,
                     .id = row.id,
                     .reason = accepted ? "" : failure_line(failure)});
}

void RunMemory::withdraw(const ProposalRow& row) {
  const auto tried = std::ranges::find(m_tried, row.id, &TriedStrategy::id);
  tried->outcome = row.reason_class;
  tried->reason = failure_line({row.reason_class, row.reason});
  tried->speedup = row.speedup;
}

void RunMemory::add_setting(const ProposalRow& row,
                            const std::vector<ConfigTimingRecord>& timings) {
  const bool is_right = row.outcome == ProposalOutcome::accepted ||
                        row.reason_class == refusal::slower || row.reason_class == refusal::no_gain;
  if (!is_right || !row.settings.contains("tunables")) return;
  TimedSetting timed{.id = row.id, .parent = row.parents.front(), .setting = row.strategy};
  for (const ConfigTimingRecord& config : timings) {
    for (const SpeedupRecord& speedup : config.speedups) {
      if (speedup.against == parent_rival) timed.speedups[config.config] = speedup.ratio;
    }
  }
  m_settings.push_back(std::move(timed));
}

void RunMemory::add_votes(const Sample& sample, const std::optional<KernelRecord>& record) {
  // Nothing is known of a kernel that only compiled: it was kept back, or is a duplicate.
  if (!record || (record->judgement.passes() && !was_tested(sample.row))) return;
  // The compiler comes before votes, and memcheck is asked for the audit alone.
  double seconds = 0;
  for (const auto& [stage, spent] : sample.row.seconds) {
    if (stage != to_string(EvaluationKind::compile) && stage != to_string(EvaluationKind::memcheck))
      seconds += spent;
  }
  m_audit.add(*sample.votes, *record, seconds);
}

}  // namespace robust_kbench
