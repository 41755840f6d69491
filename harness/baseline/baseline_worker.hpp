#pragma once

#include <vector>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The program behind `rkb baseline-worker`: serves torch's eager mode and torch.compile packages on
// fd 3 with the arena on fd 4 and its memory of the GPU on fd 5. Returns the exit code.
int baseline_worker(const std::vector<Task>& tasks, bool gpu);

}  // namespace robust_kbench
