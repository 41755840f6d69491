#pragma once

#include <vector>

#include "core/case.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// y = x W^T + b, and backward the gradients of x and W: what the kernels of these tests are asked
// for.
Task linear_task();

// Three shapes: odd, with a long reduction, and of whole vectors.
std::vector<Case> linear_cases();

}  // namespace robust_kbench
