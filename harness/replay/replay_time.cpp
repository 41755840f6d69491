#include "replay/replay_time.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "replay/replayed_batch.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t calls_one_by_one = 8;

// So many bytes of a batch's inputs belong to calls whose outputs are compared.
constexpr std::size_t compared_bytes = std::size_t{64} << 20;

void check_replayed(const Referee& referee, const Tensors& content,
                    const std::vector<at::Tensor>& expected,
                    const std::vector<at::Tensor>& outputs) {
  OutputCheck found = referee.check(outputs, expected);
  if (found.judgement.passes() || !referee.fair(content, expected)) return;
  found.judgement.reason = "replayed without its host code: " + found.judgement.reason;
  throw Rejection(std::move(found.judgement));
}

// All calls of a batch, or some that nobody could foresee where they are large.
std::vector<std::size_t> calls_to_compare(std::size_t count, std::size_t bytes_per_call,
                                          CipherStream& random) {
  std::vector<std::size_t> calls(count);
  std::iota(calls.begin(), calls.end(), 0);
  const std::size_t compared = std::clamp<std::size_t>(compared_bytes / bytes_per_call, 1, count);
  for (std::size_t i = 0; i < compared; ++i) {
    std::swap(calls[i], calls[i + random.below(count - i)]);
  }
  calls.resize(compared);
  return calls;
}

}  // namespace

ReplayTime time_replay(WorkerProcess& replayer, const Workload& workload, CallSource& source,
                       Referee& referee, std::size_t calls, double own_us) {
  CipherStream random(secret_key());
  calls = enough_calls(calls, own_us);
  const auto replay = [&](std::size_t count, const auto& timed) {
    const std::vector<Tensors> content = source.batch(count);
    ReplayedBatch batch(replayer, workload, content, random.below(count));
    const auto time = (batch.*timed)();
    for (const std::size_t call : calls_to_compare(count, source.bytes_per_call(), random)) {
      check_replayed(referee, content[call], referee.expected(content[call]),
                     batch.outputs_of(call));
    }
    calls = std::min(calls, batch.max_calls());
    batch.release();
    return time;
  };
  replay(1, &ReplayedBatch::time_one_by_one);  // the kernel's first call
  const double events_us =
      replay(std::min(calls, calls_one_by_one), &ReplayedBatch::time_one_by_one);
  replay(calls, &ReplayedBatch::time_together);  // loads what the first graph of its size needs
  return {
      .by_clock = time_batches(calls, [&] { return replay(calls, &ReplayedBatch::time_together); }),
      .events_us = events_us};
}

}  // namespace robust_kbench
