#include "torch_task/graph_argument.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "core/error.hpp"

#include <ATen/core/jit_type.h>
#include <ATen/ops/scalar_tensor.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using Passed = GraphNode::Passed;
using Kind = Passed::Kind;

template <typename Value>
using Names = std::pair<std::string_view, Value>;

constexpr std::array<Names<at::ScalarType>, 10> dtypes{{{"float64", at::kDouble},
                                                        {"float32", at::kFloat},
                                                        {"float16", at::kHalf},
                                                        {"bfloat16", at::kBFloat16},
                                                        {"int64", at::kLong},
                                                        {"int32", at::kInt},
                                                        {"int16", at::kShort},
                                                        {"int8", at::kChar},
                                                        {"uint8", at::kByte},
                                                        {"bool", at::kBool}}};

constexpr std::array<Names<c10::MemoryFormat>, 4> memory_formats{
    {{"contiguous_format", c10::MemoryFormat::Contiguous},
     {"preserve_format", c10::MemoryFormat::Preserve},
     {"channels_last", c10::MemoryFormat::ChannelsLast},
     {"channels_last_3d", c10::MemoryFormat::ChannelsLast3d}}};

constexpr std::array<Names<double>, 3> special_numbers{
    {{"inf", std::numeric_limits<double>::infinity()},
     {"-inf", -std::numeric_limits<double>::infinity()},
     {"nan", std::numeric_limits<double>::quiet_NaN()}}};

template <typename Value, std::size_t count>
Value named(const std::array<Names<Value>, count>& known, const std::string& name) {
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == name; });
  if (found != known.end()) return found->second;
  std::string names;
  for (const auto& [other, unused] : known)
    names += (names.empty() ? "" : ", ") + std::string(other);
  throw UserError(fmt::format("'{}' is none of {}", name, names));
}

bool has(const json& value, const char* key) {
  return value.is_object() && value.contains(key);
}

bool is_tensor(const c10::Type& type) {
  return type.kind() == c10::TypeKind::TensorType;
}

std::size_t tensor_number(const json& value, std::size_t known) {
  const auto number = value.at("t").get<std::size_t>();
  if (number < known) return number;
  throw UserError(
      fmt::format("it takes tensor {}, and there are only {} before it", number, known));
}

std::optional<std::size_t> tensor_number_or_none(const json& value, std::size_t known) {
  return value.is_null() ? std::nullopt : std::optional(tensor_number(value, known));
}

// The tensor that Python makes of the number in `x * 2.0`. It does not affect the result's dtype.
at::Tensor wrapped_number(const json& value) {
  at::Tensor tensor = value.is_boolean() ? at::scalar_tensor(value.get<bool>(), at::kBool)
                      : value.is_number_integer()
                          ? at::scalar_tensor(value.get<std::int64_t>(), at::kLong)
                          : at::scalar_tensor(value.get<double>(), at::kDouble);
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

// Reads a number, a boolean or a text of the type.
c10::IValue plain_value(const json& value, const c10::Type& type) {
  switch (type.kind()) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      if (value.is_number_integer()) return value.get<std::int64_t>();
      if (value.is_boolean()) return static_cast<std::int64_t>(value.get<bool>());
      break;
    case c10::TypeKind::FloatType:
      if (value.is_number()) return value.get<double>();
      break;
    case c10::TypeKind::BoolType:
      if (value.is_boolean()) return value.get<bool>();
      break;
    case c10::TypeKind::NumberType:
      if (value.is_boolean()) return value.get<bool>();
      if (value.is_number_integer()) return value.get<std::int64_t>();
      if (value.is_number()) return value.get<double>();
      break;
    case c10::TypeKind::StringType:
      if (value.is_string()) return value.get<std::string>();
      break;
    default:
      break;
  }
  throw UserError(fmt::format("{} is no {}", value.dump(), type.str()));
}

c10::IValue plain_list(const json& values, const c10::Type& element) {
  switch (element.kind()) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType: {
      c10::List<std::int64_t> list;
      for (const json& value : values) list.push_back(plain_value(value, element).toInt());
      return list;
    }
    case c10::TypeKind::FloatType: {
      c10::List<double> list;
      for (const json& value : values) list.push_back(plain_value(value, element).toDouble());
      return list;
    }
    case c10::TypeKind::BoolType: {
      c10::List<bool> list;
      for (const json& value : values) list.push_back(plain_value(value, element).toBool());
      return list;
    }
    default:
      throw UserError(fmt::format("no package passes a list of {}", element.str()));
  }
}

Passed read_list(const json& values, const c10::ListType& type, std::size_t known) {
  const c10::Type& element = *type.getElementType();
  Passed passed{.kind = is_tensor(element) ? Kind::tensors : Kind::optional_tensors};
  if (is_tensor(element)) {
    for (const json& value : values) passed.tensors.emplace_back(tensor_number(value, known));
    return passed;
  }
  if (element.kind() == c10::TypeKind::OptionalType) {
    for (const json& value : values) passed.tensors.push_back(tensor_number_or_none(value, known));
    return passed;
  }
  return {.value = plain_list(values, element)};
}

Passed read_typed(const json& value, const c10::Type& type, std::size_t known) {
  if (has(value, "dtype")) {
    const at::ScalarType dtype = parse_dtype(value.at("dtype").get<std::string>());
    return {.kind = c10::isFloatingType(dtype) ? Kind::floating_dtype : Kind::value,
            .value = static_cast<std::int64_t>(dtype)};
  }
  if (has(value, "device")) return {.kind = Kind::device};
  if (has(value, "layout")) return {.value = static_cast<std::int64_t>(c10::kStrided)};
  if (has(value, "memory_format")) {
    const auto format = named(memory_formats, value.at("memory_format").get<std::string>());
    return {.value = static_cast<std::int64_t>(format)};
  }
  if (has(value, "float")) {
    return {.value = named(special_numbers, value.at("float").get<std::string>())};
  }
  if (is_tensor(type)) {
    if (value.is_number() || value.is_boolean()) return {.value = wrapped_number(value)};
    return {.kind = Kind::tensor, .tensors = {tensor_number(value, known)}};
  }
  if (type.kind() == c10::TypeKind::ListType) {
    const auto& list = type.expectRef<c10::ListType>();
    // A single number, such as a stride, stands for a list.
    if (value.is_array()) return read_list(value, list, known);
    return read_list(json::array({value}), list, known);
  }
  return {.value = plain_value(value, type)};
}

}  // namespace

at::ScalarType parse_dtype(const std::string& name) {
  return named(dtypes, name);
}

Passed read_argument(const json* json, const c10::Argument& argument, std::size_t known) {
  try {
    if (json == nullptr) {
      if (argument.default_value()) return {.value = *argument.default_value()};
      throw UserError("it is missing");
    }
    const c10::TypePtr& type = argument.type();
    if (type->kind() != c10::TypeKind::OptionalType) return read_typed(*json, *type, known);
    if (json->is_null()) return {};
    return read_typed(*json, *type->expectRef<c10::OptionalType>().getElementType(), known);
  } catch (const UserError& error) {
    throw UserError(fmt::format("argument '{}': {}", argument.name(), error.what()));
  }
}

}  // namespace robust_kbench
