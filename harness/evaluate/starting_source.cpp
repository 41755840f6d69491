#include "evaluate/starting_source.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text_file.hpp"
#include "evaluate/kernel_signature.hpp"
#include "tensor/tensor_spec.hpp"
#include "tensor/workload.hpp"
#include <robust_kbench/task.hpp>

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

std::string tensor_comment(const Workload& workload, const std::string& name) {
  for (const OutArgument& output : workload.out_arguments()) {
    if (output.name != name) continue;
    return fmt::format("{} {} ({}), to be written", name, dtype_name(output.dtype),
                       fmt::join(output.shape, ", "));
  }
  for (const TensorSpec& spec : workload.tensor_specs()) {
    if (spec.name != name) continue;
    if (!spec.present) return name + " is not there";
    return fmt::format("{} {} ({})", name, dtype_name(dtype_of(spec)), fmt::join(spec.shape, ", "));
  }
  return name + " has its output's shape";  // an incoming gradient
}

// The arguments in the task's default config, a line each.
std::string about_arguments(const Task& task, Direction direction) {
  const Workload workload{task, direction, task.defaults};
  std::string text;
  for (const KernelParameter& parameter : kernel_signature(task, direction, {task.defaults})) {
    const Argument& argument = parameter.argument;
    switch (argument.kind) {
      case Argument::Kind::tensor:
      case Argument::Kind::tensor_tuple:
        for (const std::string& name : argument.names) {
          text += "//   " + tensor_comment(workload, name) + "\n";
        }
        break;
      case Argument::Kind::parameter:
      case Argument::Kind::literal:
        text += fmt::format("//   {} = {}\n", parameter.name,
                            to_string(value_of(argument, task.defaults)));
        break;
      case Argument::Kind::integers:
        text += fmt::format("//   {} = [{}]\n", parameter.name, fmt::join(argument.integers, ", "));
        break;
    }
  }
  return text;
}

// The source of a kernel that compiles, takes the entry's arguments, and throws since it is not
// written yet. A tensor that the task's default parameters leave out is optional.
std::string skeleton(const Task& task, Direction direction, Device device) {
  const Contract& own = contract(task, direction);
  std::vector<std::string> outputs;
  for (const Output& output : own.outputs) outputs.push_back(output.name);
  const char* const returned = outputs.size() == 1 ? "torch::Tensor" : "std::vector<torch::Tensor>";
  return fmt::format(
      "#include <vector>\n\n"
      "{headers}#include <torch/extension.h>\n\n"
      "// {summary}\n"
      "// {does} {what}: {outputs}. In one config, as `rkb list {task}` names others, there are\n"
      "{arguments}"
      "{type} {direction}({parameters}) {{\n"
      "  TORCH_CHECK(false, \"{task}.{direction} is not written yet\");\n"
      "{end}"
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
      fmt::arg("does", own.out_arguments ? "Writes" : "Returns"),
      fmt::arg("type", own.out_arguments ? "void" : returned),
      fmt::arg("end", own.out_arguments ? "" : "  return {};\n"),
      fmt::arg("direction", to_string(direction)), fmt::arg("task", task.name),
      fmt::arg("arguments", about_arguments(task, direction)),
      fmt::arg("parameters", fmt::join(declarations(task, direction), ",\n    ")));
}

}  // namespace

StartingSource starting_source(const Manifest& manifest, const Task& task, Direction direction,
                               Device device) {
  const auto plain = manifest.plain_kernel({task.name, direction}, device);
  if (!plain) return {skeleton(task, direction, device), false};
  std::optional<std::string> text = read_text(plain->sources.front());
  if (!text) throw UserError("plain kernel " + plain->sources.front() + " cannot be read");
  return {*std::move(text), true};
}

}  // namespace robust_kbench
