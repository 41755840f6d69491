#include "tensor/call_tensors.hpp"

#include <utility>

#include "tensor/reference.hpp"

namespace robust_kbench {

std::vector<IncomingGradient> incoming_gradients(const Task& task) {
  const std::vector<Output>& outputs = task.forward_contract.outputs;
  std::vector<IncomingGradient> gradients;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (c10::isFloatingType(outputs[i].dtype)) gradients.push_back({"grad_" + outputs[i].name, i});
  }
  if (gradients.size() == 1) gradients.front().name = "grad_output";
  return gradients;
}

std::vector<TensorSpec> call_specs(const Task& task, Direction direction, const Params& params) {
  const auto& own_inputs = contract(task, direction).inputs;
  std::vector<TensorSpec> specs = own_inputs ? own_inputs(params) : task.inputs(params);
  if (task.weights) {
    for (TensorSpec& spec : task.weights(params)) specs.push_back(std::move(spec));
  }
  return specs;
}

std::vector<std::string> call_tensors(const Task& task, Direction direction, const Params& params) {
  std::vector<std::string> names;
  for (TensorSpec& spec : call_specs(task, direction, params)) {
    names.push_back(std::move(spec.name));
  }
  if (direction == Direction::backward) {
    for (IncomingGradient& gradient : incoming_gradients(task)) {
      names.push_back(std::move(gradient.name));
    }
  }
  return names;
}

}  // namespace robust_kbench
