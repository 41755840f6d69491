#pragma once

#include <functional>
#include <vector>

#include "evaluate/evaluator.hpp"

namespace robust_kbench {

struct JobOptions {
  int jobs = 1;                                                 // kernels at a time
  std::function<Request(const KernelSource&)> request_of = {};  // the same scope for all
  std::function<void(const KernelSource&, const KernelRecord&)> on_done = {};  // one at a time
};

// How many kernels of a device may be evaluated at a time. On a GPU half as many as there are CPUs,
// at most 8, since compilers and references need them. One on the CPU, where each kernel is timed
// on all CPUs.
int usual_jobs(Device device);

// The same where they race against one rival. On a GPU half as many again, since those that wait to
// share a race need no CPU.
int usual_racing_jobs(Device device);

// Submits kernels of an evaluator's entry, some at a time. Records are in the order of `kernels`.
// Throws UserError.
std::vector<KernelRecord> evaluate_all(Evaluator& evaluator,
                                       const std::vector<KernelSource>& kernels,
                                       const JobOptions& options);

}  // namespace robust_kbench
