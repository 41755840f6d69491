#include "check/probe_verdict.hpp"

#include "core/probe_question.hpp"

#include <fmt/format.h>

namespace robust_kbench {

Judgement judged_by_probe(const Task& task, Probe probe, Judgement judgement) {
  const bool is_wrong =
      judgement.verdict == Verdict::wrong_result || judgement.verdict == Verdict::nondeterministic;
  if (!is_wrong || may_reject(task, probe)) return judgement;
  judgement.verdict = Verdict::pass;
  judgement.reason = fmt::format("probe {}: {} No, which is noted and does not reject.\n{}",
                                 to_string(probe), question_of(probe), judgement.reason);
  return judgement;
}

bool may_reject(const Task& task, Probe probe) {
  return probe != Probe::nan_and_infinity || (task.domain && task.domain->chooses_among_inputs);
}

}  // namespace robust_kbench
