#include "replay/replay_size.hpp"

#include <algorithm>

#include "bench/together_time.hpp"
#include "check/batch.hpp"
#include "check/gpu_demand.hpp"
#include "recording/recording_file.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

// A small kernel has as much for its tensors while it is timed in its own process.
constexpr std::size_t least_arena_bytes = std::size_t{1} << 30;

}  // namespace

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
