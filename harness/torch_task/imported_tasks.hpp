#pragma once

#include <vector>

#include "core/manifest.hpp"
#include "tensor/task_registry.hpp"

namespace robust_kbench {

// Finds an imported task by the path of its package, or by its name. Tasks of the build that have a
// package come before those in imported_tasks_directory(). If another version of torch made a
// package, stderr says so before it is loaded.
FurtherTasks imported_tasks(const std::vector<TaskDirectory>& of_build);

}  // namespace robust_kbench
