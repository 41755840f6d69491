#include "check/signature.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

namespace robust_kbench {
namespace {

// The values of rkb_kind in the kernel's C table.
enum class Kind : int { none, tensor, integer, real, boolean, string, integers, reals, tuple };

constexpr std::array<const char*, 11> kind_names{"anything", "tensor", "int",      "float",
                                                 "bool",     "str",    "int list", "float list",
                                                 "tuple",    "dtype",  "device"};

std::string name_of(int kind) {
  const auto index = static_cast<std::size_t>(kind);
  return index < kind_names.size() ? kind_names[index] : "kind " + std::to_string(kind);
}

Kind kind_of(const Argument& argument, const Params& params) {
  switch (argument.kind) {
    case Argument::Kind::tensor:
      return Kind::tensor;
    case Argument::Kind::tensor_tuple:
      return Kind::tuple;
    case Argument::Kind::integers:
      return Kind::integers;
    case Argument::Kind::parameter:
      if (!params.contains(argument.names.at(0))) return Kind::none;
      break;
    case Argument::Kind::literal:
      break;
  }
  const ParamValue& value = value_of(argument, params);
  if (std::holds_alternative<std::int64_t>(value)) return Kind::integer;
  if (std::holds_alternative<double>(value)) return Kind::real;
  return std::holds_alternative<bool>(value) ? Kind::boolean : Kind::string;
}

bool converts(Kind given, int taken) {
  const auto takes = [&](std::initializer_list<Kind> kinds) {
    for (const Kind kind : kinds) {
      if (taken == static_cast<int>(kind)) return true;
    }
    return taken == static_cast<int>(Kind::none);
  };
  switch (given) {
    case Kind::integer:
      return takes({Kind::integer, Kind::real});
    case Kind::boolean:
      return takes({Kind::boolean, Kind::integer});
    case Kind::integers:
      return takes({Kind::integers, Kind::reals, Kind::tuple});
    default:
      return takes({given});
  }
}

std::string name_of(const Argument& argument) {
  if (argument.names.empty()) return "integers";
  std::string text;
  for (const std::string& name : argument.names) text += (text.empty() ? "" : "+") + name;
  return text;
}

// One argument of a call, as the task gives it.
struct Handed {
  std::string name;
  Kind kind;
};

std::vector<Handed> handed_by(const Workload& workload) {
  std::vector<Handed> handed;
  for (const Argument& argument : workload.arguments()) {
    handed.push_back({name_of(argument), kind_of(argument, workload.params)});
  }
  for (OutArgument& output : workload.out_arguments()) {
    handed.push_back({std::move(output.name), Kind::tensor});
  }
  return handed;
}

std::string expected_signature(const std::vector<Handed>& handed) {
  std::string text;
  for (const auto& [name, kind] : handed) {
    text += (text.empty() ? "" : ", ") + name + ": " + name_of(static_cast<int>(kind));
  }
  return "(" + text + ")";
}

std::string actual_signature(const Loaded& loaded) {
  std::string text;
  for (std::size_t i = 0; i < loaded.parameters.size(); ++i) {
    const Loaded::Parameter& parameter = loaded.parameters[i];
    const std::string name = parameter.name.empty() ? "arg" + std::to_string(i) : parameter.name;
    text += (text.empty() ? "" : ", ") + name + ": " + name_of(parameter.kind);
    if (parameter.optional) text += " or None";
    if (parameter.has_default) text += " = ...";
  }
  return "(" + text + ")";
}

bool fits(const std::vector<Handed>& handed, const Loaded::Parameters& parameters) {
  if (parameters.size() < handed.size()) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Loaded::Parameter& parameter = parameters[i];
    if (i >= handed.size() ? !parameter.has_default : !converts(handed[i].kind, parameter.kind)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::string> signature_mismatch(const std::string& function, const Workload& workload,
                                              const Loaded& loaded) {
  const std::vector<Handed> handed = handed_by(workload);
  const auto is_called = [&](const Loaded::Parameters& parameters) {
    return fits(handed, parameters);
  };
  if (is_called(loaded.parameters) || std::ranges::any_of(loaded.overloads, is_called)) {
    return std::nullopt;
  }
  return "the kernel takes " + std::to_string(loaded.parameters.size()) + " arguments, " +
         function + actual_signature(loaded) + "; the task calls it with " +
         std::to_string(handed.size()) + ", " + function + expected_signature(handed);
}

}  // namespace robust_kbench
