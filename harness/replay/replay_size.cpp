#include "replay/replay_size.hpp"

#include <algorithm>

#include "check/batch.hpp"
#include "check/gpu_demand.hpp"
#include "recording/recording_file.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

// The sweeps of so many calls take some milliseconds, in which the noise of this process's clock
// vanishes.
constexpr std::size_t most_calls = 48;
// A batch may have so much content, and its calls so much memory. On a GPU memory is plentiful, and
// few calls are noisy.
constexpr std::size_t most_content_bytes = std::size_t{2} << 30;
constexpr std::size_t most_arena_bytes = std::size_t{12} << 30;
// A small kernel has as much for its tensors while it is timed in its own process.
constexpr std::size_t least_arena_bytes = std::size_t{1} << 30;

std::size_t arena_bytes_of_a_call(const Workload& workload) {
  return arena_bytes(workload, 2, /*gpu=*/true) - arena_bytes(workload, 1, /*gpu=*/true);
}

}  // namespace

std::size_t calls_together(const Workload& workload) {
  const std::size_t by_content =
      most_content_bytes / std::max<std::size_t>(content_bytes(workload), 1);
  const std::size_t by_arena =
      most_arena_bytes / std::max<std::size_t>(arena_bytes_of_a_call(workload), 1);
  return std::clamp<std::size_t>(std::min(by_content, by_arena), 1, most_calls);
}

std::size_t replay_arena_bytes(const Workload& workload, std::size_t calls) {
  return std::max(least_arena_bytes, arena_bytes(workload, calls, /*gpu=*/true));
}

std::size_t replay_gpu_bytes(const Task& task, Direction direction,
                             const std::vector<Config>& configs) {
  std::size_t most = 0;
  for (const Config& config : configs) {
    const Workload workload{task, direction, config.params};
    const std::size_t calls = calls_together(workload);
    most = std::max(most, worker_gpu_bytes(replay_arena_bytes(workload, recorded_calls)) +
                              examination_gpu_bytes(replay_arena_bytes(workload, calls)) +
                              calls * content_bytes(workload));
  }
  return most;
}

}  // namespace robust_kbench
