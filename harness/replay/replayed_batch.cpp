#include "replay/replayed_batch.hpp"

#include <utility>

#include "core/statistics.hpp"
#include "device/cpu.hpp"

namespace robust_kbench {

ReplayedBatch::ReplayedBatch(WorkerProcess& replayer, const Workload& workload,
                             std::span<const Tensors> calls, std::size_t kept)
    : m_replayer(replayer), m_batch(replayer, workload), m_calls(calls.size()), m_kept(kept) {
  m_batch.place(calls);
  answer_of(m_batch.prepare());
}

double ReplayedBatch::time_one_by_one() {
  answer_of(m_batch.run());
  collect();
  std::vector<double> spans;
  for (const std::uint64_t ns : m_batch.claimed_ns()) {
    spans.push_back(static_cast<double>(ns) / 1e3);
  }
  return median(spans);
}

// The replayer has this thread's CPUs, and waits on their first.
TogetherSample ReplayedBatch::time_together() {
  const TogetherSample sample = time_batch_together(m_replayer, m_calls, usable_cpus().front());
  collect();
  return sample;
}

void ReplayedBatch::collect() {
  answer_of(m_batch.collect(m_kept));
  if (auto finding = m_batch.inspect()) throw Rejection(*std::move(finding));
}

std::vector<at::Tensor> ReplayedBatch::outputs_of(std::size_t call) const {
  return m_batch.outputs_of(call);
}

void ReplayedBatch::release() {
  answer_of(m_batch.release());
}

}  // namespace robust_kbench
