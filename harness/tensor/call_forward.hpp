#pragma once

#include <vector>

#include <robust_kbench/task.hpp>

// The functions of a task, held to its contract.
namespace robust_kbench {

// The outputs of the forward. Throws UserError where they are not as many as the contract has.
std::vector<at::Tensor> call_forward(const Task& task, const Params& params,
                                     const Tensors& tensors);

// Where each incoming gradient must be 0, by the tensors in float64; undefined where it need not.
// Throws UserError where the task does not give one for each incoming gradient.
std::vector<at::Tensor> call_near_kink(const Task& task, const Params& params,
                                       const Tensors& tensors);

}  // namespace robust_kbench
