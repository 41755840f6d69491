#include <algorithm>

#include "core/error.hpp"
#include <robust_kbench/params.hpp>

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

const ParamValue& find(const std::map<std::string, ParamValue>& values, const std::string& name) {
  const auto it = values.find(name);
  if (it == values.end()) {
    throw UserError("parameter '" + name + "' is neither a default of the task nor in its config");
  }
  return it->second;
}

template <typename T>
const T& get(const std::map<std::string, ParamValue>& values, const std::string& name,
             const char* type) {
  const ParamValue& value = find(values, name);
  if (!std::holds_alternative<T>(value)) {
    throw UserError("parameter '" + name + "' is " + to_string(value) + ", expected " + type);
  }
  return std::get<T>(value);
}

}  // namespace

std::int64_t Params::integer(const std::string& name) const {
  return get<std::int64_t>(m_values, name, "an integer");
}

double Params::real(const std::string& name) const {
  const ParamValue& value = find(m_values, name);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*integer);
  }
  return get<double>(m_values, name, "a number");
}

bool Params::boolean(const std::string& name) const {
  return get<bool>(m_values, name, "true or false");
}

const std::string& Params::text(const std::string& name) const {
  return get<std::string>(m_values, name, "a string");
}

const std::string& Params::text(const std::string& name,
                                std::initializer_list<std::string_view> choices) const {
  const std::string& value = text(name);
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
  std::string known;
  for (const std::string_view choice : choices) {
    known += (known.empty() ? "" : ", ") + std::string(choice);
  }
  throw UserError("parameter '" + name + "' is " + value + "; known: " + known);
}

std::string to_string(const ParamValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return *text;
  }
  return std::visit([](const auto& v) { return nlohmann::json(v).dump(); }, value);
}

}  // namespace robust_kbench
