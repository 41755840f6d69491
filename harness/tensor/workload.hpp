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

// One config of one direction of a task, which defines its calls.
struct Workload {
  const Task& task;  // outlives the workload
  Direction direction = Direction::forward;
  Params params = {};

  // Throws UserError when the task has no backward.
  [[nodiscard]] const Contract& contract() const;
  // The kernel's arguments, in its order.
  [[nodiscard]] std::vector<Argument> arguments() const;
  // The arguments after arguments(): one for each output, or none if kernels return their outputs.
  // Throws UserError if the task gives another number of shapes.
  [[nodiscard]] std::vector<OutArgument> out_arguments() const;
  [[nodiscard]] std::vector<TensorSpec> input_specs() const;
  [[nodiscard]] std::vector<TensorSpec> weight_specs() const;
  // The specs of all tensors of a call but incoming gradients: inputs, then weights.
  [[nodiscard]] std::vector<TensorSpec> tensor_specs() const;
  // The names of inputs and weights, then those of a backward's incoming gradients.
  [[nodiscard]] std::vector<std::string> tensor_names() const;
  // The number of rows that all inputs have: the least of their first sizes.
  [[nodiscard]] std::int64_t rows() const;
};

// The value of a parameter or literal. Throws UserError if `params` lacks the parameter.
const ParamValue& value_of(const Argument& argument, const Params& params);

// The number of elements of all present tensors of tensor_specs(), or nullopt if one would be
// empty.
std::optional<double> elements_of(const Workload& workload);

// The bytes of all tensors of tensor_specs().
std::uint64_t content_bytes(const Workload& workload);

// The cost of one call, empty if the contract does not give it.
Cost cost_of(const Workload& workload);

// The contract of a direction. Throws UserError when the task has no backward.
const Contract& contract(const Task& task, Direction direction);

// A tensor that a backward is handed for one of the forward's outputs.
struct IncomingGradient {
  std::string name;    // of the tensor
  std::size_t output;  // index in the forward's contract
};

// One for each floating output of the forward. A single one is called "grad_output", several are
// called "grad_<output>".
std::vector<IncomingGradient> incoming_gradients(const Task& task);

}  // namespace robust_kbench
