#pragma once

#include "core/statistics.hpp"

namespace robust_kbench {

// The ratios of samples that two subjects of one run took in turns. Sample i of one's worker w is
// divided by sample i of the other's worker w. What disturbs both of a pair cancels out. A worker
// or sample that one subject alone has is left out. Throws HarnessError where nothing is left.
WorkerSamples paired_ratios(const WorkerSamples& over, const WorkerSamples& under);

// As many workers as `like` has, each with the one sample 1. A ratio to them is the samples' own.
WorkerSamples unit_samples(const WorkerSamples& like);

}  // namespace robust_kbench
