#pragma once

#include <string>
#include <vector>

#include "evaluate/kernel_signature.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The task as a torch.autograd.Function in Python. It shows which tensors are saved for the
// backward kernel, which numbers it gets, and where its results go. `forward` and `backward` are
// the signatures of both kernels, and `params` the config whose lists of integers these have.
// Throws UserError when the task has no backward.
std::string autograd_function(const Task& task, const Params& params,
                              const std::vector<KernelParameter>& forward,
                              const std::vector<KernelParameter>& backward);

}  // namespace robust_kbench
