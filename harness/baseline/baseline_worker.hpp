#pragma once

#include <vector>

#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The program behind `rkb baseline-worker`: serves torch's eager mode and torch.compile packages.
// Inherits the channel as fd 3, the arena as fd 4 and, with `gpu`, the arena's GPU memory as fd 5.
// Returns the exit code.
int baseline_worker(const std::vector<Task>& tasks, bool gpu);

}  // namespace robust_kbench
