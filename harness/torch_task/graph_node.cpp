#include "torch_task/graph_node.hpp"

#include "core/error.hpp"
#include "torch_task/graph_argument.hpp"
#include "torch_task/operators.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

struct OperatorName {
  std::string name;
  std::string overload;
};

OperatorName split(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return {name, ""};
  const std::string overload = name.substr(dot + 1);
  return {name.substr(0, dot), overload == "default" ? "" : overload};
}

c10::OperatorHandle find_operator(const std::string& name) {
  const OperatorName parts = split(name);
  // A variant with a given result writes into tensors that others may hold, so it is refused.
  if (!is_permitted_operator(parts.name) || parts.overload.ends_with("out")) {
    throw UserError(
        "it calls " + name +
        ", which no package may call (harness/torch_task/operators.cpp lists what may)");
  }
  // The layout of an operator's results depends on device and dtype. So a view that is impossible
  // for another layout becomes a copy.
  const bool is_view = parts.name == "aten::view" && parts.overload.empty();
  const c10::OperatorName called{is_view ? "aten::reshape" : parts.name, parts.overload};
  const auto found = c10::Dispatcher::singleton().findSchema(called);
  if (!found) throw UserError("it calls " + name + ", which this torch does not have");
  return *found;
}

std::vector<GraphNode::Passed> read_passed(const json& node, const c10::FunctionSchema& schema,
                                           std::size_t known) {
  static const json none = json::array();
  static const json nothing = json::object();
  const json& positional = node.contains("args") ? node.at("args") : none;
  const json& named = node.contains("kwargs") ? node.at("kwargs") : nothing;
  const std::vector<c10::Argument>& arguments = schema.arguments();
  if (positional.size() > arguments.size()) {
    throw UserError(
        fmt::format("it has {} arguments, and the schema {}", positional.size(), arguments.size()));
  }
  std::size_t used = 0;
  std::vector<GraphNode::Passed> passed;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto by_name = named.find(arguments[i].name());
    if (by_name != named.end()) ++used;
    const json* given = i < positional.size()    ? &positional[i]
                        : by_name != named.end() ? &*by_name
                                                 : nullptr;
    passed.push_back(read_argument(given, arguments[i], known));
  }
  if (used != named.size()) throw UserError("it names an argument that the schema does not have");
  return passed;
}

// In-place forms may change other nodes' results, but neither inputs nor constants.
void require_own(const GraphNode& node, std::size_t given) {
  const std::vector<c10::Argument>& arguments = node.call.schema().arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const c10::AliasInfo* const alias = arguments[i].alias_info();
    if (alias == nullptr || !alias->isWrite()) continue;
    for (const auto& number : node.passed[i].tensors) {
      if (number && *number < given) {
        throw UserError(fmt::format("it changes tensor {}, an input or a constant", *number));
      }
    }
  }
}

bool is_a_constructor(const c10::FunctionSchema& schema) {
  const std::string& name = schema.name();
  return schema.argumentIndexWithName("layout").has_value() &&
         schema.argumentIndexWithName("device").has_value() && !name.ends_with("_like") &&
         !name.starts_with("aten::new_") && name != "aten::to" && name != "aten::_to_copy";
}

bool takes_a_real_number(const std::vector<GraphNode::Passed>& passed) {
  for (const GraphNode::Passed& argument : passed) {
    if (argument.kind == GraphNode::Passed::Kind::value && argument.value.isDouble()) return true;
  }
  return false;
}

// Gives a constructor without a dtype torch's default one. A constructor whose dtype follows from
// numbers gets it only for a real number.
void set_default_dtype(GraphNode& node) {
  const c10::FunctionSchema& schema = node.call.schema();
  if (!is_a_constructor(schema)) return;
  const auto dtype = schema.argumentIndexWithName("dtype");
  if (!dtype) return;
  GraphNode::Passed& argument = node.passed[static_cast<std::size_t>(*dtype)];
  if (!argument.value.isNone()) return;
  const std::string& name = schema.name();
  const bool by_value =
      name == "aten::full" || name == "aten::arange" || name == "aten::scalar_tensor";
  if (by_value && !takes_a_real_number(node.passed)) return;
  argument = {.kind = GraphNode::Passed::Kind::floating_dtype,
              .value = static_cast<std::int64_t>(at::kFloat)};
}

c10::IValue tensor_or_none(const std::optional<std::size_t>& number,
                           const std::vector<at::Tensor>& tensors) {
  return number && tensors[*number].defined() ? c10::IValue(tensors[*number]) : c10::IValue();
}

c10::IValue passed_value(const GraphNode::Passed& passed, const std::vector<at::Tensor>& tensors,
                         const CallSetting& setting) {
  switch (passed.kind) {
    case GraphNode::Passed::Kind::value:
      return passed.value;
    case GraphNode::Passed::Kind::tensor:
      return tensor_or_none(passed.tensors.front(), tensors);
    case GraphNode::Passed::Kind::tensors: {
      c10::List<at::Tensor> list;
      for (const auto& number : passed.tensors) list.push_back(tensors[*number]);
      return list;
    }
    case GraphNode::Passed::Kind::optional_tensors: {
      c10::List<std::optional<at::Tensor>> list;
      for (const auto& number : passed.tensors) {
        list.push_back(number ? std::optional(tensors[*number]) : std::nullopt);
      }
      return list;
    }
    case GraphNode::Passed::Kind::floating_dtype:
      return setting.floating ? c10::IValue(static_cast<std::int64_t>(*setting.floating))
                              : passed.value;
    case GraphNode::Passed::Kind::device:
      return setting.device;
  }
  return {};
}

}  // namespace

std::vector<std::size_t> GraphNode::taken() const {
  std::vector<std::size_t> all;
  for (const Passed& argument : passed) {
    for (const auto& number : argument.tensors) {
      if (number) all.push_back(*number);
    }
  }
  return all;
}

std::vector<at::Tensor> GraphNode::run(const std::vector<at::Tensor>& tensors,
                                       const CallSetting& setting) const {
  c10::Stack stack;
  stack.reserve(passed.size());
  for (const Passed& argument : passed) stack.push_back(passed_value(argument, tensors, setting));
  call.callBoxed(stack);
  std::vector<at::Tensor> results;
  for (const c10::IValue& value : stack) {
    if (value.isTensor()) {
      results.push_back(value.toTensor());
    } else if (value.isTensorList()) {
      const std::vector<at::Tensor> list = value.toTensorVector();
      results.insert(results.end(), list.begin(), list.end());
    }
  }
  if (results.size() == outputs) return results;
  throw UserError(fmt::format("{} returned {} tensors, and the package says {}; import it again",
                              name, results.size(), outputs));
}

GraphNode read_node(const json& json, std::size_t number, std::size_t given, std::size_t known) {
  std::string name;
  try {
    name = json.at("op").get<std::string>();
    const c10::OperatorHandle call = find_operator(name);
    GraphNode node{.name = name,
                   .call = call,
                   .passed = read_passed(json, call.schema(), known),
                   .outputs = json.at("outputs").get<std::size_t>()};
    require_own(node, given);
    set_default_dtype(node);
    return node;
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("node {} ({}): {}", number, name, error.what()));
  } catch (const UserError& error) {
    throw UserError(fmt::format("node {} ({}): {}", number, name, error.what()));
  }
}

}  // namespace robust_kbench
