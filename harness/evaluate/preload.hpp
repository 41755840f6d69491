#pragma once

#include <vector>

#include "core/case.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Runs the operators that judge CUDA kernels once, on the smallest case. CUDA loads an operator's
// code at its first use, and a kernel may by then have left no memory for it. Failures are ignored,
// since they recur where they are reported.
void preload_operators(const Task& task, Direction direction, const std::vector<Case>& cases);

}  // namespace robust_kbench
