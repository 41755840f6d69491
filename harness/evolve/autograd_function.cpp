#include "evolve/autograd_function.hpp"

#include <algorithm>

#include "tensor/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

Names names_of(const std::vector<KernelParameter>& parameters) {
  Names names;
  for (const KernelParameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

// "(x,)" of one name, so that Python takes it for a tuple.
std::string tuple_of(const Names& names) {
  return fmt::format("({}{})", fmt::join(names, ", "), names.size() == 1 ? "," : "");
}

// What backward passes on to the kernel, and what forward keeps for it.
struct Passed {
  Names arguments;
  Names tensors;
  Names numbers;
};

Passed passed_to(const std::vector<KernelParameter>& backward, const Names& incoming) {
  Passed passed;
  for (const KernelParameter& parameter : backward) {
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
        passed.arguments.push_back("ctx." + parameter.name);
        passed.numbers.push_back(parameter.name);
        break;
      case Argument::Kind::integers:
        passed.arguments.push_back(parameter.name);
        break;
    }
  }
  return passed;
}

// In the order of forward's parameters, None for those without one.
Names gradients_of(const std::vector<KernelParameter>& forward, const Names& outputs) {
  Names gradients;
  for (const KernelParameter& parameter : forward) {
    gradients.push_back(contains(outputs, parameter.name) ? "grad_" + parameter.name : "None");
  }
  return gradients;
}

}  // namespace

std::string autograd_function(const Task& task, const std::vector<KernelParameter>& forward,
                              const std::vector<KernelParameter>& backward) {
  Names incoming;
  for (const IncomingGradient& gradient : incoming_gradients(task)) {
    incoming.push_back(gradient.name);
  }
  Names outputs;
  for (const Output& output : contract(task, Direction::backward).outputs) {
    outputs.push_back(output.name);
  }
  const Passed passed = passed_to(backward, incoming);
  Names results;
  for (const std::string& output : outputs) results.push_back("grad_" + output);
  std::string numbers;
  for (const std::string& number : passed.numbers) {
    numbers += fmt::format("        ctx.{0} = {0}\n", number);
  }
  const Names parameters = names_of(forward);
  return fmt::format(
      "class Operator(torch.autograd.Function):\n"
      "    @staticmethod\n"
      "    def forward(ctx, {parameters}):\n"
      "        ctx.save_for_backward({saved})\n"
      "{numbers}"
      "        return forward({parameters})\n\n"
      "    @staticmethod\n"
      "    def backward(ctx, {incoming}):\n"
      "        {tensors} = ctx.saved_tensors\n"
      "        {results} = kernel.backward({arguments})\n"
      "        return {gradients}\n",
      fmt::arg("parameters", fmt::join(parameters, ", ")),
      fmt::arg("saved", fmt::join(passed.tensors, ", ")), fmt::arg("numbers", numbers),
      fmt::arg("incoming", fmt::join(incoming, ", ")),
      fmt::arg("tensors", tuple_of(passed.tensors)), fmt::arg("results", fmt::join(results, ", ")),
      fmt::arg("arguments", fmt::join(passed.arguments, ", ")),
      fmt::arg("gradients", fmt::join(gradients_of(forward, outputs), ", ")));
}

}  // namespace robust_kbench
