#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bench/together_time.hpp"
#include "broker/worker_process.hpp"
#include "check/batch.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// One batch of calls in a replayer. Its functions throw Rejection for a finding of the detectors,
// and where the replayer fails.
class ReplayedBatch {
 public:
  // Gives the replayer the calls. `kept` is one of them, whose outputs the detectors look at.
  ReplayedBatch(WorkerProcess& replayer, const Workload& workload, std::span<const Tensors> calls,
                std::size_t kept);

  // A batch runs once, by one of these.

  // Runs the calls one by one. Returns the median of their spans by the replayer's events, in
  // microseconds.
  double time_one_by_one();
  // Runs them as one work of the GPU.
  TogetherSample time_together();

  // Copies of the outputs of any call, after the batch has run.
  [[nodiscard]] std::vector<at::Tensor> outputs_of(std::size_t call) const;

  // The most calls that a batch may have, once one has run.
  [[nodiscard]] std::size_t max_calls() const { return m_batch.max_calls(); }

  void release();

 private:
  void collect();

  WorkerProcess& m_replayer;
  Batch m_batch;
  std::size_t m_calls;
  std::size_t m_kept;
};

}  // namespace robust_kbench
