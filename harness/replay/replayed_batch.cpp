#include "replay/replayed_batch.hpp"

#include <utility>

#include "core/statistics.hpp"
#include "device/cpu.hpp"
#include "process/affinity.hpp"

namespace robust_kbench {
namespace {

constexpr int slow_runs = 2;  // the first ones, since the GPU did this process's work before
constexpr int runs_without_calls = 3;

// Both processes wait on one CPU, the first, where the replayer waits already. One of them is
// always asleep, so neither waits for an idle CPU to wake up.
double wall_us_of(WorkerProcess& replayer, bool with_calls) {
  const ScopedAffinity beside_the_replayer(usable_cpus().front());
  return static_cast<double>(answer_of(replayer.run_together(with_calls)).wall_ns) / 1e3;
}

}  // namespace

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

// A process's first graph is slower by a microsecond a call until another graph has run. So the
// batch without calls is timed after the one with calls.
double ReplayedBatch::time_together() {
  answer_of(m_replayer.prepare_together());
  for (int i = 0; i < slow_runs; ++i) wall_us_of(m_replayer, false);
  const double with_calls_us = wall_us_of(m_replayer, true);
  std::vector<double> without_calls_us;
  for (int i = 0; i < runs_without_calls; ++i) {
    without_calls_us.push_back(wall_us_of(m_replayer, false));
  }
  collect();
  return (with_calls_us - median(without_calls_us)) / static_cast<double>(m_calls);
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
