#pragma once

#include <vector>

#include <robust_kbench/task.hpp>

// Calls a task's functions and holds their results to its contract.
namespace robust_kbench {

// Returns the outputs of the forward. Throws UserError if the contract has another number of them.
std::vector<at::Tensor> call_forward(const Task& task, const Params& params,
                                     const Tensors& tensors);

// Returns a mask for each incoming gradient, true where it must be 0, computed in `precision`. A
// mask is undefined if nothing must be 0. The task must have kinks. Throws UserError if the task
// does not give a mask for each incoming gradient.
std::vector<at::Tensor> call_near_kink(const Task& task, const Params& params,
                                       const Tensors& tensors, at::ScalarType precision);

}  // namespace robust_kbench
