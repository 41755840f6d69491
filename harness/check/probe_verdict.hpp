#pragma once

#include "core/judgement.hpp"
#include <robust_kbench/probe.hpp>
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The judgement of a call on a probe's content. A wrong result for NaN and infinity passes, with
// the reason as a note, unless the task chooses among its inputs.
Judgement judged_by_probe(const Task& task, Probe probe, Judgement judgement);

// False for a probe that only leaves a note.
bool may_reject(const Task& task, Probe probe);

}  // namespace robust_kbench
