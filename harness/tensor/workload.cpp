#include "tensor/workload.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "tensor/tensor_spec.hpp"

#include <fmt/format.h>

namespace robust_kbench {

const Contract& Workload::contract() const {
  return robust_kbench::contract(task, direction);
}

std::vector<Argument> Workload::arguments() const {
  return contract().arguments(params);
}

std::vector<OutArgument> Workload::out_arguments() const {
  const Contract& own = contract();
  if (!own.out_arguments) return {};
  std::vector<std::vector<std::int64_t>> shapes = own.out_arguments(params);
  if (shapes.size() != own.outputs.size()) {
    throw UserError(
        fmt::format("task '{}': out_arguments gives {} shapes, and there are {} outputs; "
                    "give one for each",
                    task.name, shapes.size(), own.outputs.size()));
  }
  const std::string prefix = direction == Direction::backward ? "grad_" : "";
  std::vector<OutArgument> arguments;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    arguments.push_back({.name = prefix + own.outputs[i].name,
                         .shape = std::move(shapes[i]),
                         .dtype = own.outputs[i].dtype});
  }
  return arguments;
}

std::vector<TensorSpec> Workload::input_specs() const {
  const auto& own_inputs = contract().inputs;
  return own_inputs ? own_inputs(params) : task.inputs(params);
}

std::vector<TensorSpec> Workload::weight_specs() const {
  return task.weights ? task.weights(params) : std::vector<TensorSpec>{};
}

std::vector<TensorSpec> Workload::tensor_specs() const {
  std::vector<TensorSpec> specs = input_specs();
  for (TensorSpec& spec : weight_specs()) specs.push_back(std::move(spec));
  return specs;
}

std::vector<std::string> Workload::tensor_names() const {
  std::vector<std::string> names;
  for (TensorSpec& spec : tensor_specs()) names.push_back(std::move(spec.name));
  if (direction == Direction::backward) {
    for (IncomingGradient& gradient : incoming_gradients(task)) {
      names.push_back(std::move(gradient.name));
    }
  }
  return names;
}

std::int64_t Workload::rows() const {
  std::int64_t rows = std::numeric_limits<std::int64_t>::max();
  for (const TensorSpec& input : input_specs()) {
    rows = std::min(rows, input.shape.empty() ? 1 : input.shape.front());
  }
  return rows;
}

const Contract& contract(const Task& task, Direction direction) {
  if (direction == Direction::forward) return task.forward_contract;
  if (!task.backward_contract) {
    throw UserError("task '" + task.name + "' has no backward; use --direction forward");
  }
  return *task.backward_contract;
}

std::vector<IncomingGradient> incoming_gradients(const Task& task) {
  const std::vector<Output>& outputs = task.forward_contract.outputs;
  std::vector<IncomingGradient> gradients;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (c10::isFloatingType(outputs[i].dtype)) gradients.push_back({"grad_" + outputs[i].name, i});
  }
  if (gradients.size() == 1) gradients.front().name = "grad_output";
  return gradients;
}

const ParamValue& value_of(const Argument& argument, const Params& params) {
  if (argument.kind == Argument::Kind::literal) return argument.value;
  const auto found = params.values().find(argument.names.at(0));
  if (found != params.values().end()) return found->second;
  throw UserError("argument '" + argument.names.at(0) + "' is no parameter of the task");
}

std::uint64_t content_bytes(const Workload& workload) {
  std::uint64_t bytes = 0;
  for (const TensorSpec& spec : workload.tensor_specs()) bytes += bytes_of(spec);
  return bytes;
}

std::optional<double> elements_of(const Workload& workload) {
  double all = 0;
  for (const TensorSpec& spec : workload.tensor_specs()) {
    if (!spec.present) continue;
    double elements = 1;
    for (const std::int64_t size : spec.shape) {
      if (size < 1) return std::nullopt;
      elements *= static_cast<double>(size);
    }
    all += elements;
  }
  return all;
}

Cost cost_of(const Workload& workload) {
  const auto& cost = workload.contract().cost;
  return cost ? cost(workload.params) : Cost();
}

}  // namespace robust_kbench
