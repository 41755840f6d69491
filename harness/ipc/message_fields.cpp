#include "ipc/message_fields.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

using nlohmann::json;

const json& member(const json& object, const char* key) {
  if (!object.is_object()) throw HarnessError("message: an object was expected");
  const auto found = object.find(key);
  if (found == object.end()) throw HarnessError(std::string("message: '") + key + "' is missing");
  return *found;
}

void wrong_type(const char* key, const char* type) {
  throw HarnessError(std::string("message: '") + key + "' is no " + type);
}

std::uint64_t as_unsigned(const json& value, const char* key) {
  if (!value.is_number_unsigned()) wrong_type(key, "unsigned integer");
  return value.get<std::uint64_t>();
}

std::uint64_t unsigned_in(const json& object, const char* key) {
  return as_unsigned(member(object, key), key);
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

double number_in(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_number() || !std::isfinite(value.get<double>())) wrong_type(key, "number");
  return value.get<double>();
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

std::vector<std::int64_t> integers_in(const json& object, const char* key, std::size_t most) {
  std::vector<std::int64_t> list;
  for (const json& value : array_in(object, key, most)) list.push_back(as_integer(value, key));
  return list;
}

}  // namespace robust_kbench
