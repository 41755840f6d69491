#include "prompt/autograd_function.hpp"

#include <algorithm>
#include <utility>

#include "tensor/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// The names of parameters without the outputs that the kernel is handed.
Names names_of(const std::vector<KernelParameter>& parameters) {
  Names names;
  for (const KernelParameter& parameter : parameters) {
    if (!parameter.is_output) names.push_back(parameter.name);
  }
  return names;
}

// "(x,)" of one name, so that Python takes it for a tuple.
std::string tuple_of(const Names& names) {
  return fmt::format("({}{})", fmt::join(names, ", "), names.size() == 1 ? "," : "");
}

// The text by which forward saves a list of integers that backward needs. The list is an argument,
// or the shape of one. Else that of the first config stands for all.
std::string list_in_forward(const Workload& workload, const std::vector<KernelParameter>& forward,
                            const KernelParameter& list) {
  const Names known = names_of(forward);
  if (contains(known, list.name)) return list.name;
  for (const TensorSpec& spec : workload.tensor_specs()) {
    const bool is_it = spec.present && spec.shape == list.argument.integers;
    if (is_it && contains(known, spec.name)) return spec.name + ".shape";
  }
  return fmt::format("[{}]  # for the first config", fmt::join(list.argument.integers, ", "));
}

// The tensors and numbers that backward passes on to the kernel, and those that forward keeps for
// it.
struct Passed {
  Names arguments;
  Names tensors;
  std::vector<std::pair<std::string, std::string>> members;  // of ctx, and what they are
};

Passed passed_to(const Workload& workload, const std::vector<KernelParameter>& forward,
                 const std::vector<KernelParameter>& backward, const Names& incoming) {
  Passed passed;
  for (const KernelParameter& parameter : backward) {
    if (parameter.is_output) continue;
    switch (parameter.argument.kind) {
      case Argument::Kind::tensor:
        passed.arguments.push_back(parameter.name);
        if (!contains(incoming, parameter.name)) passed.tensors.push_back(parameter.name);
        break;
      case Argument::Kind::tensor_tuple:
        passed.arguments.push_back(tuple_of(parameter.argument.names));
        for (const std::string& name : parameter.argument.names) {
          if (!contains(incoming, name)) passed.tensors.push_back(name);
        }
        break;
      case Argument::Kind::parameter:
      case Argument::Kind::literal:
        passed.arguments.push_back("ctx." + parameter.name);
        passed.members.emplace_back(parameter.name, parameter.name);
        break;
      case Argument::Kind::integers:
        passed.arguments.push_back("ctx." + parameter.name);
        passed.members.emplace_back(parameter.name, list_in_forward(workload, forward, parameter));
        break;
    }
  }
  return passed;
}

// The gradients in the order of forward's parameters, None for those without one.
Names gradients_of(const std::vector<KernelParameter>& forward, const Names& outputs) {
  Names gradients;
  for (const std::string& name : names_of(forward)) {
    gradients.push_back(contains(outputs, name) ? "grad_" + name : "None");
  }
  return gradients;
}

// The lines in which the backward kernel is called.
std::string call_of(const Contract& backward, const Names& arguments, const Names& outputs) {
  Names results;
  for (const std::string& output : outputs) results.push_back("grad_" + output);
  if (!backward.out_arguments) {
    return fmt::format("        {} = kernel.backward({})\n", fmt::join(results, ", "),
                       fmt::join(arguments, ", "));
  }
  std::string lines;
  for (const std::string& output : outputs) {
    lines += fmt::format("        grad_{0} = torch.empty(...)  # as {0}\n", output);
  }
  return lines + fmt::format("        kernel.backward({}, {})\n", fmt::join(arguments, ", "),
                             fmt::join(results, ", "));
}

}  // namespace

std::string autograd_function(const Task& task, const Params& params,
                              const std::vector<KernelParameter>& forward,
                              const std::vector<KernelParameter>& backward) {
  Names incoming;
  for (const IncomingGradient& gradient : incoming_gradients(task)) {
    incoming.push_back(gradient.name);
  }
  Names outputs;
  for (const Output& output : contract(task, Direction::backward).outputs) {
    outputs.push_back(output.name);
  }
  const Workload workload{task, Direction::backward, params};
  const Passed passed = passed_to(workload, forward, backward, incoming);
  std::string members;
  for (const auto& [name, value] : passed.members) {
    members += fmt::format("        ctx.{} = {}\n", name, value);
  }
  const Names parameters = names_of(forward);
  return fmt::format(
      "class Operator(torch.autograd.Function):\n"
      "    @staticmethod\n"
      "    def forward(ctx, {parameters}):\n"
      "        ctx.save_for_backward({saved})\n"
      "{members}"
      "        return forward({parameters})\n\n"
      "    @staticmethod\n"
      "    def backward(ctx, {incoming}):\n"
      "        {tensors} = ctx.saved_tensors\n"
      "{call}"
      "        return {gradients}\n",
      fmt::arg("parameters", fmt::join(parameters, ", ")),
      fmt::arg("saved", fmt::join(passed.tensors, ", ")), fmt::arg("members", members),
      fmt::arg("incoming", fmt::join(incoming, ", ")),
      fmt::arg("tensors", tuple_of(passed.tensors)),
      fmt::arg("call", call_of(*task.backward_contract, passed.arguments, outputs)),
      fmt::arg("gradients", fmt::join(gradients_of(forward, outputs), ", ")));
}

}  // namespace robust_kbench
