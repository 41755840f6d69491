#include "replay/replay_time.hpp"

#include <algorithm>
#include <vector>

#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "core/statistics.hpp"
#include "replay/replayed_batch.hpp"

namespace robust_kbench {
namespace {

constexpr int timed_batches = 10;
constexpr std::size_t calls_one_by_one = 8;

void check_replayed(const Referee& referee, const Tensors& content,
                    const std::vector<at::Tensor>& expected,
                    const std::vector<at::Tensor>& outputs) {
  OutputCheck found = referee.check(outputs, expected);
  if (found.judgement.passes() || !referee.fair(content, expected)) return;
  found.judgement.reason = "replayed without its host code: " + found.judgement.reason;
  throw Rejection(std::move(found.judgement));
}

}  // namespace

ReplayTime time_replay(WorkerProcess& replayer, const Workload& workload, CallSource& source,
                       Referee& referee, std::size_t calls) {
  CipherStream random(secret_key());
  const auto checked = [&](const auto& replay, std::size_t count) {
    const std::vector<Tensors> content = source.batch(count);
    const std::size_t keep = random.below(count);
    const ReplayedBatch batch = replay(replayer, workload, content, keep);
    check_replayed(referee, content[keep], referee.expected(content[keep]), batch.outputs);
    return batch.call_us;
  };
  checked(replay_one_by_one, 1);  // the kernel's first call
  ReplayTime time{.events_us = checked(replay_one_by_one, std::min(calls, calls_one_by_one)),
                  .batches = timed_batches,
                  .calls = static_cast<int>(calls)};
  checked(replay_together, calls);  // loads what the first graph of its size needs
  std::vector<double> samples;
  for (int i = 0; i < timed_batches; ++i) samples.push_back(checked(replay_together, calls));
  time.us = median(samples);
  const Interval interval = median_interval(samples);
  time.low_us = interval.low;
  time.high_us = interval.high;
  return time;
}

}  // namespace robust_kbench
