#pragma once

#include <vector>

namespace robust_kbench {

// The times of one subject's calls on a CPU, in microseconds.
struct SingleCalls {
  double in_batch_us = 0;        // of a call among others
  std::vector<double> alone_us;  // of batches of one call
};

// A shorter call is not called alone, since waking processes up would be too much of its time.
constexpr double least_alone_us = 300;

// How much longer a kernel's call takes alone than in a batch, or 0 where that is little. A second
// processor may work ahead on the calls that follow, but in a batch of one none does. What it costs
// baselines to be called alone is no part of it. Without baselines it is 0.
double worked_ahead_us(const SingleCalls& kernel, const std::vector<SingleCalls>& baselines);

struct SubjectSamples;
class BatchRunner;

// Calls long calls of kernels alone, and those of baselines. Where a kernel's take longer so, that
// counts. It is called once all samples are taken.
void count_longer_single_calls(std::vector<SubjectSamples>& subjects, BatchRunner& runner);

}  // namespace robust_kbench
