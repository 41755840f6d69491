#include "tensor/call_tensors.hpp"

#include <utility>

#include "tensor/reference.hpp"

namespace robust_kbench {

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
  if (direction == Direction::backward) names.emplace_back("grad_output");
  return names;
}

}  // namespace robust_kbench
