#pragma once

#include <vector>

#include "bench/batch_runner.hpp"
#include "bench/interleaved_run.hpp"
#include "bench/subject_samples.hpp"

namespace robust_kbench {

// Each worker makes a verified call for each subject that it serves. A subject whose call fails is
// rejected. Its first worker's call decides its pace: a kernel is slow only if others are quicker.
// Throws HarnessError for a failure of a baseline.
void make_first_calls(std::vector<SubjectSamples>& subjects, const BatchRunner& runner,
                      const WellConditionedCall& call, const RunConditions& conditions);

}  // namespace robust_kbench
