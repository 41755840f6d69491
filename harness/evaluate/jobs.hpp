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

// The default number of kernels that are evaluated at a time. On a GPU it is half the number of
// CPUs, at most 8, since compilers and references need CPUs. On the CPU it is one, since each
// kernel is timed on all CPUs.
int usual_jobs(Device device);

// The default number where kernels race against one rival. On a GPU it is half as many again, since
// submissions that wait to share a race need no CPU.
int usual_racing_jobs(Device device);

// Submits kernels of an evaluator's entry, some at a time. Records are in the order of `kernels`.
// Throws UserError.
std::vector<KernelRecord> evaluate_all(Evaluator& evaluator,
                                       const std::vector<KernelSource>& kernels,
                                       const JobOptions& options);

}  // namespace robust_kbench
