#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "broker/worker_process.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// What a replayer did with one batch.
struct ReplayedBatch {
  double call_us = 0;               // of one call
  std::vector<at::Tensor> outputs;  // of the call that was kept
};

// Runs the calls of a batch one by one. Their time is the median of the spans by the replayer's
// events. Throws Rejection for a finding of the detectors, and where the replayer fails.
ReplayedBatch replay_one_by_one(WorkerProcess& replayer, const Workload& workload,
                                std::span<const Tensors> calls, std::size_t keep);

// Runs them as one work of the GPU. Their time is what they add, by this process's clock, to the
// sweeps of the cache between them. Throws as the other.
ReplayedBatch replay_together(WorkerProcess& replayer, const Workload& workload,
                              std::span<const Tensors> calls, std::size_t keep);

}  // namespace robust_kbench
