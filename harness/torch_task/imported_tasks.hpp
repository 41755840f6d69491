#pragma once

#include <vector>

#include "core/manifest.hpp"
#include "tensor/task_registry.hpp"

namespace robust_kbench {

// Finds imported tasks by the path of a package, by the name of one of the build's tasks that has a
// package, or by its name in imported_tasks_directory(). A package of another torch is told on
// stderr before it is loaded.
FurtherTasks imported_tasks(const std::vector<TaskDirectory>& of_build);

}  // namespace robust_kbench
