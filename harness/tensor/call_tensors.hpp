#pragma once

#include <string>
#include <vector>

#include <robust_kbench/direction.hpp>
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// Every tensor that a call of the config is made of, but grad_output: inputs, then weights.
std::vector<TensorSpec> call_specs(const Task& task, Direction direction, const Params& params);

// Their names, then grad_output for a backward.
std::vector<std::string> call_tensors(const Task& task, Direction direction, const Params& params);

}  // namespace robust_kbench
