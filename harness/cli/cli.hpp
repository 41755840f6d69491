#pragma once

#include <vector>

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The program `rkb` over the given tasks. Returns its exit code (core/error.hpp).
int cli_main(int argc, char** argv, const std::vector<Task>& tasks);

}  // namespace robust_kbench
