#include "core/paired_samples.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace robust_kbench {

WorkerSamples paired_ratios(const WorkerSamples& over, const WorkerSamples& under) {
  WorkerSamples ratios;
  for (std::size_t worker = 0; worker < std::min(over.size(), under.size()); ++worker) {
    const std::size_t samples = std::min(over[worker].size(), under[worker].size());
    if (samples == 0) continue;
    std::vector<double>& of_worker = ratios.emplace_back();
    for (std::size_t i = 0; i < samples; ++i) {
      of_worker.push_back(over[worker][i] / under[worker][i]);
    }
  }
  if (ratios.empty()) throw HarnessError("ratios of subjects that have no samples in common");
  return ratios;
}

WorkerSamples unit_samples(const WorkerSamples& like) {
  return {like.size(), {1.0}};
}

}  // namespace robust_kbench
