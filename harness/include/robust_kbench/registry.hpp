#pragma once

#include <vector>

#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Every task of the program, in the order of the build description. CMake generates the definition
// from robust_kbench_add_task(). It calls tasks::<name>() for each, so that a missing task is a
// link error.
const std::vector<Task>& registered_tasks();

}  // namespace robust_kbench
