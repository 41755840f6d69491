#pragma once

#include <vector>

#include "core/case.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// Calls what looks at the cases of CUDA kernels once, on the smallest case: CUDA loads the code of
// an operator when it is first used, and that is to be before there is a kernel that may have left
// no memory for it. What fails here fails again where somebody is told.
void preload_operators(const Task& task, Direction direction, const std::vector<Case>& cases);

}  // namespace robust_kbench
