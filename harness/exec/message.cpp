#include "exec/message.hpp"

#include <array>
#include <limits>
#include <utility>

#include "core/error.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

// Beyond anything a kernel needs, small enough that a hostile worker cannot exhaust its broker.
constexpr std::size_t max_dimensions = 64;
constexpr std::size_t max_outputs = 1024;
constexpr std::size_t max_parameters = 256;

constexpr std::array<std::pair<Failure, const char*>, 3> failure_names{{
    {Failure::load_error, "load_error"},
    {Failure::exception, "exception"},
    {Failure::out_of_memory, "out_of_memory"},
}};

// nlohmann's get<> converts between kinds of numbers; a message of the wrong type is malformed.
const json& member(const json& object, const char* key) {
  if (!object.is_object()) throw HarnessError("message: an object was expected");
  const auto found = object.find(key);
  if (found == object.end()) throw HarnessError(std::string("message: '") + key + "' is missing");
  return *found;
}

[[noreturn]] void wrong_type(const char* key, const char* type) {
  throw HarnessError(std::string("message: '") + key + "' is no " + type);
}

std::uint64_t unsigned_in(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_number_unsigned()) wrong_type(key, "unsigned integer");
  return value.get<std::uint64_t>();
}

std::int64_t as_integer(const json& value, const char* key) {
  constexpr auto greatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!value.is_number_integer()) wrong_type(key, "integer");
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > greatest) {
    wrong_type(key, "64-bit integer");
  }
  return value.get<std::int64_t>();
}

int small_integer_in(const json& object, const char* key) {
  const std::int64_t value = as_integer(member(object, key), key);
  if (value < -1000 || value > 1000) wrong_type(key, "small integer");
  return static_cast<int>(value);
}

bool bool_in(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_boolean()) wrong_type(key, "boolean");
  return value.get<bool>();
}

std::string string_in(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_string()) wrong_type(key, "string");
  return value.get<std::string>();
}

const json& array_in(const json& object, const char* key, std::size_t most) {
  const json& value = member(object, key);
  if (!value.is_array()) wrong_type(key, "array");
  if (value.size() > most) {
    throw HarnessError(std::string("message: '") + key + "' has " + std::to_string(value.size()) +
                       " elements, at most " + std::to_string(most) + " are taken");
  }
  return value;
}

IntegerList integers_in(const json& object, const char* key, std::size_t most) {
  IntegerList list;
  for (const json& value : array_in(object, key, most)) list.push_back(as_integer(value, key));
  return list;
}

json encode(const TensorRef& tensor) {
  return {{"offset", tensor.offset},
          {"sizes", tensor.sizes},
          {"strides", tensor.strides},
          {"dtype", tensor.dtype},
          {"device", tensor.device_type}};
}

TensorRef decode_tensor(const json& j) {
  TensorRef tensor{.offset = unsigned_in(j, "offset"),
                   .sizes = integers_in(j, "sizes", max_dimensions),
                   .strides = integers_in(j, "strides", max_dimensions),
                   .dtype = small_integer_in(j, "dtype"),
                   .device_type = small_integer_in(j, "device")};
  if (tensor.sizes.size() != tensor.strides.size()) {
    throw HarnessError("message: a tensor has " + std::to_string(tensor.sizes.size()) +
                       " sizes and " + std::to_string(tensor.strides.size()) + " strides");
  }
  return tensor;
}

// Scalars are JSON scalars, a tensor is an object; lists are objects with one key, so that a list
// of integers and a tuple that holds integers stay apart.
struct Encoder {
  json operator()(const None&) const { return nullptr; }
  json operator()(const TensorRef& tensor) const { return encode(tensor); }
  json operator()(std::int64_t value) const { return value; }
  json operator()(double value) const { return value; }
  json operator()(bool value) const { return value; }
  json operator()(const IntegerList& list) const { return {{"integers", list}}; }
  json operator()(const ArgumentTuple& tuple) const {
    json items = json::array();
    for (const ArgumentValue& item : tuple) items.push_back(std::visit(*this, item.value));
    return {{"tuple", std::move(items)}};
  }
};

ResultValue decode_scalar(const json& j) {
  if (j.is_null()) return None{};
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_float()) return j.get<double>();
  return as_integer(j, "value");
}

ArgumentValue decode_argument(const json& j) {
  if (!j.is_object()) {
    return std::visit([](auto value) { return ArgumentValue{value}; }, decode_scalar(j));
  }
  if (j.contains("integers")) {
    return {integers_in(j, "integers", std::numeric_limits<std::size_t>::max())};
  }
  if (!j.contains("tuple")) return {decode_tensor(j)};
  ArgumentTuple tuple;
  for (const json& item : array_in(j, "tuple", std::numeric_limits<std::size_t>::max())) {
    tuple.push_back(decode_argument(item));
  }
  return {std::move(tuple)};
}

}  // namespace

void to_json(json& json, const Load& load) {
  json = {{"library", load.library}, {"entry", load.entry}};
}

void from_json(const json& json, Load& load) {
  load = {.library = string_in(json, "library"), .entry = string_in(json, "entry")};
}

void to_json(json& json, const Loaded& loaded) {
  auto parameters = json::array();
  for (const Loaded::Parameter& parameter : loaded.parameters) {
    parameters.push_back({{"name", parameter.name},
                          {"kind", parameter.kind},
                          {"optional", parameter.optional},
                          {"has_default", parameter.has_default}});
  }
  json = {{"parameters", std::move(parameters)}, {"headers", loaded.headers}};
}

void from_json(const json& json, Loaded& loaded) {
  loaded = {};
  for (const auto& parameter : array_in(json, "parameters", max_parameters)) {
    loaded.parameters.push_back({.name = string_in(parameter, "name"),
                                 .kind = small_integer_in(parameter, "kind"),
                                 .optional = bool_in(parameter, "optional"),
                                 .has_default = bool_in(parameter, "has_default")});
  }
  loaded.headers = string_in(json, "headers");
}

void to_json(json& json, const Failed& failed) {
  for (const auto& [failure, name] : failure_names) {
    if (failure == failed.failure) json["failure"] = name;
  }
  json["message"] = failed.message;
  json["call"] = failed.call;
}

void from_json(const json& json, Failed& failed) {
  const std::string name = string_in(json, "failure");
  for (const auto& [failure, known] : failure_names) {
    if (name != known) continue;
    failed = {failure, string_in(json, "message"), unsigned_in(json, "call")};
    return;
  }
  wrong_type("failure", "kind of failure");
}

void to_json(json& json, const Call& call) {
  json = json::array();
  for (const ArgumentValue& argument : call.arguments) {
    json.push_back(std::visit(Encoder{}, argument.value));
  }
}

void from_json(const json& json, Call& call) {
  if (!json.is_array()) wrong_type("call", "array");
  call.arguments.clear();
  for (const auto& argument : json) call.arguments.push_back(decode_argument(argument));
}

void to_json(json& json, const CallResult& result) {
  auto outputs = json::array();
  for (const ResultValue& output : result.outputs) {
    outputs.push_back(std::visit(Encoder{}, output));
  }
  json = {{"outputs", std::move(outputs)}, {"span_ns", result.span_ns}};
}

void from_json(const json& json, CallResult& result) {
  result = {.span_ns = unsigned_in(json, "span_ns")};
  for (const auto& output : array_in(json, "outputs", max_outputs)) {
    result.outputs.push_back(output.is_object() ? ResultValue(decode_tensor(output))
                                                : decode_scalar(output));
  }
}

}  // namespace robust_kbench
