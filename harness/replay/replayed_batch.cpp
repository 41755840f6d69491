#include "replay/replayed_batch.hpp"

#include <algorithm>
#include <utility>

#include "check/batch.hpp"
#include "core/statistics.hpp"
#include "device/cpu.hpp"
#include "process/affinity.hpp"

namespace robust_kbench {
namespace {

// The sweeps alone run as often before the calls as behind them, so that a slow change of the
// clocks cancels out.
constexpr int sweeps_on_each_side = 2;

// Both processes wait on one CPU, the first, where the replayer waits already. One of them is
// always asleep, so neither waits for an idle CPU to wake up.
double wall_us_of(WorkerProcess& replayer, bool with_calls) {
  const ScopedAffinity beside_the_replayer(usable_cpus().front());
  return static_cast<double>(answer_of(replayer.run_together(with_calls)).wall_ns) / 1e3;
}

std::vector<double> sweep_times(WorkerProcess& replayer) {
  std::vector<double> times;
  for (int i = 0; i < sweeps_on_each_side; ++i) times.push_back(wall_us_of(replayer, false));
  return times;
}

Batch prepared_batch(WorkerProcess& replayer, const Workload& workload,
                     std::span<const Tensors> calls) {
  Batch batch(replayer, workload);
  batch.place(calls);
  answer_of(batch.prepare());
  return batch;
}

// Takes the outputs of the batch, after all detectors have looked at it.
std::vector<at::Tensor> outputs_of(Batch& batch, std::size_t keep) {
  answer_of(batch.collect(keep));
  if (auto finding = batch.inspect()) throw Rejection(*std::move(finding));
  return batch.outputs();
}

}  // namespace

ReplayedBatch replay_one_by_one(WorkerProcess& replayer, const Workload& workload,
                                std::span<const Tensors> calls, std::size_t keep) {
  Batch batch = prepared_batch(replayer, workload, calls);
  answer_of(batch.run());
  ReplayedBatch replayed{.call_us = 0, .outputs = outputs_of(batch, keep)};
  std::vector<double> spans;
  for (const std::uint64_t ns : batch.claimed_ns()) spans.push_back(static_cast<double>(ns) / 1e3);
  replayed.call_us = median(spans);
  answer_of(batch.release());
  return replayed;
}

ReplayedBatch replay_together(WorkerProcess& replayer, const Workload& workload,
                              std::span<const Tensors> calls, std::size_t keep) {
  Batch batch = prepared_batch(replayer, workload, calls);
  answer_of(replayer.prepare_together());
  std::vector<double> sweeps = sweep_times(replayer);
  const double all_us = wall_us_of(replayer, true);
  for (const double us : sweep_times(replayer)) sweeps.push_back(us);
  ReplayedBatch replayed{.call_us = (all_us - median(sweeps)) / static_cast<double>(calls.size()),
                         .outputs = outputs_of(batch, keep)};
  answer_of(batch.release());
  return replayed;
}

}  // namespace robust_kbench
