#pragma once

#include <memory>
#include <vector>

#include "ipc/arena.hpp"
#include "runner/serve.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Serves every BaselineLoad (ipc/baseline_load.hpp) of the given tasks.
std::unique_ptr<Subject> make_baseline_subject(const std::vector<Task>& tasks, Arena& arena);

}  // namespace robust_kbench
