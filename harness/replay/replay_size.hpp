#pragma once

#include <cstddef>
#include <vector>

#include "core/case.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// The arena of a worker that is recorded in `calls` calls, and that of a replayer.
std::size_t replay_arena_bytes(const Workload& workload, std::size_t calls);

// The GPU memory to claim for replays of configs, one at a time: that of the recorded worker, the
// replayer, and the contents and references.
std::size_t replay_gpu_bytes(const Task& task, Direction direction,
                             const std::vector<Config>& configs);

}  // namespace robust_kbench
