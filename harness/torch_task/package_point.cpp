#include "torch_task/package_point.hpp"

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "torch_task/graph_argument.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;

ParamValue param_value(const std::string& name, const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  throw UserError(
      fmt::format("parameter '{}' is {}, which is no number, boolean or text", name, value.dump()));
}

Distribution read_distribution(const json& distribution) {
  const auto kind = distribution.at("kind").get<std::string>();
  const auto number = [&](const char* key) { return distribution.at(key).get<double>(); };
  if (kind == "normal") return normal(number("a"), number("b"));
  if (kind == "uniform") return uniform(number("a"), number("b"));
  if (kind == "constant") return constant(number("a"), distribution.value("spread", 0.0));
  if (kind == "integers") {
    return integers(distribution.at("a").get<std::int64_t>(),
                    distribution.at("b").get<std::int64_t>());
  }
  throw UserError("distribution '" + kind + "' is none of normal, uniform, constant, integers");
}

std::function<at::Tensor(const at::Tensor&)> then_of(const Graph& graph) {
  if (graph.inputs().size() != 1) throw UserError("its graph `then` takes more than what is drawn");
  return [graph](const at::Tensor& drawn) { return graph.run({drawn}, at::kFloat).at(0); };
}

TensorSpec read_tensor(const json& tensor, const Package& package) {
  auto name = tensor.at("name").get<std::string>();
  try {
    const json& distribution = tensor.at("distribution");
    if (distribution.is_null()) return absent(std::move(name));
    TensorSpec spec{.name = name,
                    .shape = tensor.at("shape").get<std::vector<std::int64_t>>(),
                    .distribution = read_distribution(distribution),
                    .dtype = parse_dtype(tensor.at("dtype").get<std::string>())};
    if (distribution.contains("then")) {
      spec.then = then_of(package.graphs.at(distribution.at("then").get<std::size_t>()));
    }
    return spec;
  } catch (const std::out_of_range&) {
    throw UserError("tensor '" + name + "': its graph `then` does not exist");
  } catch (const UserError& error) {
    throw UserError("tensor '" + name + "': " + error.what());
  }
}

std::vector<TensorSpec> read_tensors(const json& tensors, const Package& package) {
  std::vector<TensorSpec> specs;
  for (const json& tensor : tensors) specs.push_back(read_tensor(tensor, package));
  return specs;
}

Argument read_argument(const json& argument, std::size_t position) {
  if (argument.contains("tensor")) return tensor(argument.at("tensor").get<std::string>());
  if (argument.contains("tensors")) return tensor_tuple(argument.at("tensors").get<Strings>());
  if (argument.contains("parameter")) return parameter(argument.at("parameter").get<std::string>());
  if (argument.contains("integers")) {
    return integer_list(argument.at("integers").get<std::vector<std::int64_t>>());
  }
  const auto name = argument.value("name", fmt::format("value_{}", position));
  return literal(name, param_value(name, argument.at("value")));
}

std::vector<Argument> read_arguments(const json& arguments) {
  std::vector<Argument> read;
  for (const json& argument : arguments) read.push_back(read_argument(argument, read.size()));
  return read;
}

Cost read_cost(const json& point, const std::string& prefix) {
  return {.flops = point.value(prefix + "flops", 0.0),
          .bytes = point.value(prefix + "bytes", 0.0),
          .unfused_bytes = point.value(prefix + "unfused_bytes", 0.0)};
}

std::set<std::string> names_of(const PackagePoint& point) {
  std::set<std::string> names;
  for (const auto* specs : {&point.inputs, &point.weights}) {
    for (const TensorSpec& spec : *specs) {
      if (!names.insert(spec.name).second) {
        throw UserError("two tensors are called '" + spec.name + "'");
      }
    }
  }
  return names;
}

void require_known(const std::set<std::string>& known, const Strings& names, const char* what) {
  for (const std::string& name : names) {
    if (!known.contains(name)) {
      throw UserError(fmt::format("{} '{}' is none of its tensors", what, name));
    }
  }
}

void check(const PackagePoint& point, const Package& package) {
  if (point.graph >= package.graphs.size()) throw UserError("its graph does not exist");
  std::set<std::string> known = names_of(point);
  require_known(known, package.graphs[point.graph].inputs(), "the graph's input");
  require_known(known, package.backward_outputs, "the gradient of");
  for (const std::string& output : point.outputs) {
    if (package.out_arguments && known.contains(output)) {
      throw UserError("an output and another tensor are called '" + output + "'");
    }
  }
  for (const std::string& output : point.outputs) known.insert("grad_" + output);
  known.insert("grad_output");
  for (const auto* arguments : {&point.arguments, &point.backward_arguments}) {
    for (const Argument& argument : *arguments) {
      const bool is_tensor =
          argument.kind == Argument::Kind::tensor || argument.kind == Argument::Kind::tensor_tuple;
      if (is_tensor) require_known(known, argument.names, "argument");
    }
  }
}

}  // namespace

Params read_params(const json& object) {
  Params params;
  for (const auto& [name, value] : object.items()) params.set(name, param_value(name, value));
  return params;
}

Params read_params(const json& object, const Params& defaults) {
  Params params = defaults;
  for (const auto& [name, value] : object.items()) {
    const auto known = defaults.values().find(name);
    if (known == defaults.values().end()) {
      throw UserError("parameter '" + name + "' has no default");
    }
    const bool is_real = std::holds_alternative<double>(known->second) && value.is_number();
    params.set(name, is_real ? ParamValue(value.get<double>()) : param_value(name, value));
  }
  return params;
}

PackagePoint read_point(const json& json, const Package& package) {
  PackagePoint point{
      .params = read_params(json.at("params"), package.defaults),
      .graph = json.at("graph").get<std::size_t>(),
      .inputs = read_tensors(json.at("inputs"), package),
      .weights = read_tensors(json.at("weights"), package),
      .arguments = read_arguments(json.at("arguments")),
      .cost = read_cost(json, ""),
      .backward_cost = read_cost(json, "backward_"),
      .longest_sums = json.value("longest_sums", std::vector<std::int64_t>()),
      .backward_longest_sums = json.value("backward_longest_sums", std::vector<std::int64_t>())};
  if (json.contains("backward_arguments")) {
    point.backward_arguments = read_arguments(json.at("backward_arguments"));
  }
  if (json.contains("grad_output")) point.grad_output = read_distribution(json.at("grad_output"));
  for (const auto& output : json.at("outputs")) {
    point.outputs.push_back(output.at("name").get<std::string>());
    point.output_dtypes.push_back(parse_dtype(output.at("dtype").get<std::string>()));
    point.output_shapes.push_back(output.at("shape").get<std::vector<std::int64_t>>());
  }
  check(point, package);
  return point;
}

}  // namespace robust_kbench
