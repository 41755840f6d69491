#include "prompt/entry_contract.hpp"

#include <algorithm>
#include <optional>

#include "evaluate/kernel_signature.hpp"
#include "prompt/autograd_function.hpp"
#include "source/compile_options.hpp"
#include "tensor/size_range_json.hpp"
#include "tensor/tensor_spec.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

std::optional<TensorSpec> spec_of(const Workload& workload, const std::string& name) {
  for (TensorSpec& spec : workload.tensor_specs()) {
    if (spec.name == name) return std::move(spec);
  }
  return {};
}

// Parameters of all shown configs, or the task's defaults where none is shown.
std::vector<Params> shown_params(const PromptSubject& subject) {
  std::vector<Params> params;
  for (const Config& config : subject.configs) params.push_back(config.params);
  if (params.empty()) params.push_back(subject.task.defaults);
  return params;
}

// The kernel's signature with the reference's names where the task has none.
std::vector<KernelParameter> named_signature(const PromptSubject& subject, Direction direction) {
  std::vector<KernelParameter> parameters =
      kernel_signature(subject.task, direction, shown_params(subject));
  const std::vector<std::string> names =
      python_parameters(subject.reference.text, to_string(direction));
  const auto handed = std::ranges::count(parameters, false, &KernelParameter::is_output);
  if (std::ssize(names) != handed) return parameters;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Argument::Kind kind = parameters[i].argument.kind;
    if (kind == Argument::Kind::tensor_tuple || kind == Argument::Kind::integers) {
      parameters[i].name = names[i];
    }
  }
  return parameters;
}

std::string about_tensor(const PromptSubject& subject, const std::string& name) {
  const std::vector<Output>& outputs = subject.task.forward_contract.outputs;
  for (const IncomingGradient& gradient : incoming_gradients(subject.task)) {
    if (gradient.name != name) continue;
    const Output& output = outputs[gradient.output];
    return fmt::format("{}, the gradient of the output {}", dtype_name(output.dtype), output.name);
  }
  const Workload workload{subject.task, subject.direction, shown_params(subject).front()};
  const std::optional<TensorSpec> spec = spec_of(workload, name);
  return spec ? dtype_name(dtype_of(*spec)) : "";
}

std::string about_parameter(const PromptSubject& subject, std::size_t position) {
  std::vector<ParamValue> values;
  for (const Params& params : shown_params(subject)) {
    const std::vector<Argument> arguments =
        Workload{subject.task, subject.direction, params}.arguments();
    values.push_back(value_of(arguments.at(position), params));
  }
  const bool is_constant = std::ranges::count(values, values.front()) == std::ssize(values);
  return is_constant ? "usually " + to_string(values.front()) : "see the configs";
}

// The text about a parameter. `position` is its place among the arguments.
std::string about(const PromptSubject& subject, const KernelParameter& parameter,
                  std::size_t position) {
  const std::vector<std::string>& names = parameter.argument.names;
  if (parameter.is_output) return "an output, to be written";
  switch (parameter.argument.kind) {
    case Argument::Kind::tensor:
      return about_tensor(subject, names.front()) +
             (parameter.type == "torch::Tensor" ? "" : "; nullopt in some configs");
    case Argument::Kind::tensor_tuple: {
      std::vector<std::string> held;
      held.reserve(names.size());
      for (const std::string& name : names) {
        held.push_back(fmt::format("{} ({})", name, about_tensor(subject, name)));
      }
      return fmt::format("holds {}", fmt::join(held, ", "));
    }
    case Argument::Kind::parameter:
    case Argument::Kind::literal:
      return about_parameter(subject, position);
    case Argument::Kind::integers:
      return "a list, see the configs";
  }
  return "";
}

std::string shape_in(const Workload& workload, const std::string& name) {
  const std::optional<TensorSpec> spec = spec_of(workload, name);
  if (!spec) return "";  // an incoming gradient, which has its output's shape
  return spec->present ? fmt::format("{} ({})", name, fmt::join(spec->shape, ", "))
                       : name + " is not there";
}

json config_data(const PromptSubject& subject, const Config& config,
                 const std::vector<KernelParameter>& signature) {
  const Workload workload{subject.task, subject.direction, config.params};
  const std::vector<Argument> arguments = workload.arguments();
  json tensors = json::array();
  json parameters = json::array();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    if (argument.kind == Argument::Kind::parameter || argument.kind == Argument::Kind::literal) {
      parameters.push_back(argument.names.front() + " = " +
                           to_string(value_of(argument, config.params)));
    } else if (argument.kind == Argument::Kind::integers) {
      parameters.push_back(
          fmt::format("{} = [{}]", signature[i].name, fmt::join(argument.integers, ", ")));
    } else {
      for (const std::string& name : argument.names) {
        const std::string shape = shape_in(workload, name);
        if (!shape.empty()) tensors.push_back(shape);
      }
    }
  }
  for (const OutArgument& output : workload.out_arguments()) {
    tensors.push_back(fmt::format("{} ({})", output.name, fmt::join(output.shape, ", ")));
  }
  return {{"name", config.name}, {"tensors", tensors}, {"parameters", parameters}};
}

json outputs_data(const PromptSubject& subject) {
  json outputs = json::array();
  for (const Output& output : contract(subject.task, subject.direction).outputs) {
    const bool forward = subject.direction == Direction::forward;
    outputs.push_back(
        {{"name", forward ? output.name : "grad_" + output.name},
         {"dtype", dtype_name(output.dtype)},
         {"about", forward ? "" : "the gradient of " + output.name + ", of its shape"}});
  }
  return outputs;
}

json refused_data(const Capabilities& refused) {
  json data = json::array();
  for (const Capability capability : refused) {
    data.push_back({{"name", to_string(capability)}, {"about", examples_of(capability)}});
  }
  return data;
}

}  // namespace

std::string language_of(Device device) {
  return device == Device::cuda ? "cuda" : "cpp";
}

nlohmann::json contract_data(const PromptSubject& subject) {
  const std::vector<KernelParameter> signature = named_signature(subject, subject.direction);
  json arguments = json::array();
  for (const KernelParameter& parameter : signature) {
    arguments.push_back({{"name", parameter.name},
                         {"type", parameter.type},
                         {"about", about(subject, parameter, arguments.size())}});
  }
  json configs = json::array();
  for (const Config& config : subject.configs) {
    configs.push_back(config_data(subject, config, signature));
  }
  const std::optional<Shapes>& shapes = subject.task.shapes;
  json autograd;
  if (subject.direction == Direction::backward) {
    autograd = autograd_function(subject.task, shown_params(subject).front(),
                                 named_signature(subject, Direction::forward), signature);
  }
  return {
      {"entry", Entry{subject.task.name, subject.direction}.name()},
      {"direction", to_string(subject.direction)},
      {"language", language_of(subject.device)},
      {"summary", subject.task.summary},
      {"reference", subject.reference.text},
      {"reference_language", subject.reference.language},
      {"autograd_function", autograd},
      {"arguments", arguments},
      {"outputs", outputs_data(subject)},
      {"out_arguments", static_cast<bool>(contract(subject.task, subject.direction).out_arguments)},
      {"machine", subject.machine},
      {"flags", subject.flags},
      {"refused", refused_data(subject.refused)},
      {"configs", configs},
      {"tested", subject.tested},
      {"sizes", shapes ? json(shapes->sizes) : json::array()},
      {"options", allowed_compile_options(subject.device == Device::cuda)}};
}

}  // namespace robust_kbench
