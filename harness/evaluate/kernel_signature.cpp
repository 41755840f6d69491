#include "evaluate/kernel_signature.hpp"

#include <algorithm>
#include <variant>

#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

std::string type_of_parameter(const ParamValue& value) {
  if (std::holds_alternative<double>(value)) return "double";
  if (std::holds_alternative<bool>(value)) return "bool";
  return std::holds_alternative<std::string>(value) ? "std::string" : "int64_t";
}

bool is_absent(const Workload& workload, const std::string& name) {
  const std::vector<TensorSpec> specs = workload.tensor_specs();
  return std::ranges::any_of(
      specs, [&](const TensorSpec& spec) { return spec.name == name && !spec.present; });
}

}  // namespace

std::vector<KernelParameter> kernel_signature(const Task& task, Direction direction,
                                              const std::vector<Params>& configs) {
  const Workload first{task, direction, configs.front()};
  std::vector<KernelParameter> parameters;
  for (const Argument& argument : first.arguments()) {
    const std::string number = std::to_string(parameters.size());
    switch (argument.kind) {
      case Argument::Kind::tensor: {
        const bool is_optional = std::ranges::any_of(configs, [&](const Params& params) {
          return is_absent({task, direction, params}, argument.names.front());
        });
        parameters.push_back({is_optional ? "c10::optional<torch::Tensor>" : "torch::Tensor",
                              argument.names.front(), argument});
        break;
      }
      case Argument::Kind::tensor_tuple:
        parameters.push_back({"py::tuple", "tensors_" + number, argument});
        break;
      case Argument::Kind::parameter:
      case Argument::Kind::literal:
        parameters.push_back({type_of_parameter(value_of(argument, first.params)),
                              argument.names.front(), argument});
        break;
      case Argument::Kind::integers:
        parameters.push_back({"std::vector<int64_t>", "integers_" + number, argument});
        break;
    }
  }
  for (const OutArgument& output : first.out_arguments()) {
    parameters.push_back({"torch::Tensor", output.name, tensor(output.name), true});
  }
  return parameters;
}

}  // namespace robust_kbench
