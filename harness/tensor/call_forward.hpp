#pragma once

#include <vector>

#include <robust_kbench/task.hpp>

// The functions of a task, held to its contract.
namespace robust_kbench {

// The outputs of the forward. Throws UserError where they are not as many as the contract has.
std::vector<at::Tensor> call_forward(const Task& task, const Params& params,
                                     const Tensors& tensors);

// Masks of where each incoming gradient must be 0, computed in `precision`. Undefined where it need
// not be 0 anywhere. The task must have kinks. Throws UserError where it does not give a mask for
// each incoming gradient.
std::vector<at::Tensor> call_near_kink(const Task& task, const Params& params,
                                       const Tensors& tensors, at::ScalarType precision);

}  // namespace robust_kbench
