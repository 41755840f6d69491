#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <robust_kbench/direction.hpp>
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A tensor that a kernel is handed to write an output to.
struct OutArgument {
  std::string name;  // that of the output, and "grad_<tensor>" in a backward
  std::vector<std::int64_t> shape;
  at::ScalarType dtype = at::kFloat;
};

// One config of one direction of a task: what a call consists of.
struct Workload {
  const Task& task;  // outlives the workload
  Direction direction = Direction::forward;
  Params params = {};

  // Throws UserError when the task has no backward.
  [[nodiscard]] const Contract& contract() const;
  // A kernel's, in its order.
  [[nodiscard]] std::vector<Argument> arguments() const;
  // What follows the arguments: one for each output, or none where kernels return their outputs.
  // Throws UserError where the task gives another number of shapes.
  [[nodiscard]] std::vector<OutArgument> out_arguments() const;
  [[nodiscard]] std::vector<TensorSpec> input_specs() const;
  [[nodiscard]] std::vector<TensorSpec> weight_specs() const;
  // Every tensor of a call but incoming gradients: inputs, then weights.
  [[nodiscard]] std::vector<TensorSpec> tensor_specs() const;
  // Their names, then the incoming gradients' of a backward.
  [[nodiscard]] std::vector<std::string> tensor_names() const;
  // Rows that all inputs have: the least of their first sizes.
  [[nodiscard]] std::int64_t rows() const;
};

// What a parameter or a literal is. Throws UserError where the parameter is none of `params`.
const ParamValue& value_of(const Argument& argument, const Params& params);

// Elements of all tensors of tensor_specs() that are present; none where one would be empty.
std::optional<double> elements_of(const Workload& workload);

// What one call costs; nothing where the contract does not say.
Cost cost_of(const Workload& workload);

// The contract of a direction. Throws UserError when the task has no backward.
const Contract& contract(const Task& task, Direction direction);

// What a backward is handed for one of the forward's outputs.
struct IncomingGradient {
  std::string name;    // of the tensor
  std::size_t output;  // index in the forward's contract
};

// One for each floating output of the forward: "grad_output" where there is one, "grad_<output>"
// where there are several.
std::vector<IncomingGradient> incoming_gradients(const Task& task);

}  // namespace robust_kbench
