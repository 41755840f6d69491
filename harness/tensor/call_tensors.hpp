#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <robust_kbench/direction.hpp>
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A backward's incoming gradient for one of the forward's outputs.
struct IncomingGradient {
  std::string name;    // of the tensor
  std::size_t output;  // index in the forward's contract
};

// One for each floating output of the forward: "grad_output" where there is one, "grad_<output>"
// where there are several.
std::vector<IncomingGradient> incoming_gradients(const Task& task);

// Every tensor that a call of the config is made of, but incoming gradients: inputs, then weights.
std::vector<TensorSpec> call_specs(const Task& task, Direction direction, const Params& params);

// The names of these tensors, and for a backward those of the incoming gradients after them.
std::vector<std::string> call_tensors(const Task& task, Direction direction, const Params& params);

}  // namespace robust_kbench
