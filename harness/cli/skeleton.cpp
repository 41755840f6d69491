#include "cli/skeleton.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include "tensor/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

std::string type_of_parameter(const ParamValue& value) {
  if (std::holds_alternative<double>(value)) return "double";
  if (std::holds_alternative<bool>(value)) return "bool";
  return std::holds_alternative<std::string>(value) ? "std::string" : "int64_t";
}

std::string type_of_tensor(const std::vector<TensorSpec>& specs, const std::string& name) {
  const bool absent = std::ranges::any_of(
      specs, [&](const TensorSpec& spec) { return spec.name == name && !spec.present; });
  return absent ? "c10::optional<torch::Tensor>" : "torch::Tensor";
}

// The parameters of the kernel's function, as C++ declares them.
std::vector<std::string> parameters(const Workload& workload) {
  const std::vector<TensorSpec> specs = workload.tensor_specs();
  std::vector<std::string> declared;
  for (const Argument& argument : workload.arguments()) {
    switch (argument.kind) {
      case Argument::Kind::tensor:
        declared.push_back(type_of_tensor(specs, argument.names.front()) + " " +
                           argument.names.front());
        break;
      case Argument::Kind::tensor_tuple:
        declared.push_back(fmt::format("py::tuple tensors_{} /* {} */", declared.size(),
                                       fmt::join(argument.names, ", ")));
        break;
      case Argument::Kind::parameter:
        declared.push_back(type_of_parameter(workload.params.values().at(argument.names.front())) +
                           " " + argument.names.front());
        break;
      case Argument::Kind::integers:
        declared.push_back(fmt::format("std::vector<int64_t> integers_{}", declared.size()));
        break;
    }
  }
  return declared;
}

}  // namespace

std::string skeleton(const Task& task, Direction direction, Device device) {
  const Workload workload{task, direction, task.defaults};
  std::vector<std::string> outputs;
  for (const Output& output : workload.contract().outputs) outputs.push_back(output.name);
  const bool one = outputs.size() == 1;
  return fmt::format(
      "#include <vector>\n\n"
      "{headers}#include <torch/extension.h>\n\n"
      "// {summary}\n"
      "// Returns {what}: {outputs}.\n"
      "{type} {direction}({parameters}) {{\n"
      "  TORCH_CHECK(false, \"{task}.{direction} is not written yet\");\n"
      "  return {{}};\n"
      "}}\n\n"
      "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{\n"
      "  m.def(\"{direction}\", &{direction});\n"
      "}}\n",
      fmt::arg("headers",
               device == Device::cuda
                   ? "#include <ATen/cuda/CUDAContext.h>\n#include <c10/cuda/CUDAGuard.h>\n"
                   : ""),
      fmt::arg("summary", task.summary),
      fmt::arg("what", direction == Direction::forward ? "the output" : "the gradients"),
      fmt::arg("outputs", fmt::join(outputs, ", ")),
      fmt::arg("type", one ? "torch::Tensor" : "std::vector<torch::Tensor>"),
      fmt::arg("direction", to_string(direction)), fmt::arg("task", task.name),
      fmt::arg("parameters", fmt::join(parameters(workload), ",\n    ")));
}

}  // namespace robust_kbench
