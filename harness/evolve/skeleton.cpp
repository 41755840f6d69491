#include "evolve/skeleton.hpp"

#include <vector>

#include "evolve/kernel_signature.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

// The parameters of the kernel's function, as C++ declares them.
std::vector<std::string> declarations(const Task& task, Direction direction) {
  std::vector<std::string> declared;
  for (const KernelParameter& parameter : kernel_signature(task, direction, {task.defaults})) {
    declared.push_back(parameter.type + " " + parameter.name);
    if (parameter.argument.kind == Argument::Kind::tensor_tuple) {
      declared.back() += fmt::format(" /* {} */", fmt::join(parameter.argument.names, ", "));
    }
  }
  return declared;
}

}  // namespace

std::string skeleton(const Task& task, Direction direction, Device device) {
  std::vector<std::string> outputs;
  for (const Output& output : contract(task, direction).outputs) outputs.push_back(output.name);
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
      fmt::arg("parameters", fmt::join(declarations(task, direction), ",\n    ")));
}

}  // namespace robust_kbench
