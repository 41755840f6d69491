#pragma once

#include <functional>
#include <vector>

#include "evaluate/evaluate.hpp"

namespace robust_kbench {

struct PoolOptions {
  int jobs = 1;  // kernels at a time; more than one only where nothing is timed on the CPU
  std::function<EvaluateOptions(const KernelSource&)> options_of;  // the same but for reports
  std::function<void(const KernelSource&, const KernelRecord&)> on_done;  // one at a time
};

// How many kernels of a device may be evaluated at a time: on a GPU half as many as there are CPUs,
// at most 8, since compilers and references need them; one on the CPU, where each is timed on all.
int usual_jobs(const std::string& device);

// Evaluates kernels of one entry and device, which share baselines, references and the nonce of
// their cases. All that they take of a GPU's memory is claimed at once, and as many are evaluated
// at a time as fit into that. Records are in the order of `kernels`. What the harness fails at in
// one kernel is that record's verdict `harness_error`, and the others go on. Throws UserError.
std::vector<KernelRecord> evaluate_all(const Manifest& manifest, const Task& task,
                                       const std::vector<KernelSource>& kernels,
                                       const PoolOptions& options);

}  // namespace robust_kbench
