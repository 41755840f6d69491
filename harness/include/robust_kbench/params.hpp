#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace robust_kbench {

using ParamValue = std::variant<std::int64_t, double, bool, std::string>;

// The parameters of one config by name: a task's defaults, overridden by the config file. Every
// getter throws UserError if the name is unknown, or if the value has another type or is not among
// the choices.
class Params {
 public:
  Params() = default;
  Params(std::initializer_list<std::pair<const std::string, ParamValue>> values)
      : m_values(values) {}

  [[nodiscard]] std::int64_t integer(const std::string& name) const;
  [[nodiscard]] double real(const std::string& name) const;  // an integer is taken as a real
  [[nodiscard]] bool boolean(const std::string& name) const;
  [[nodiscard]] const std::string& text(const std::string& name) const;
  [[nodiscard]] const std::string& text(const std::string& name,
                                        std::initializer_list<std::string_view> choices) const;

  [[nodiscard]] bool contains(const std::string& name) const { return m_values.contains(name); }
  [[nodiscard]] const std::map<std::string, ParamValue>& values() const { return m_values; }

  // Adds or replaces one value.
  void set(const std::string& name, ParamValue value) { m_values[name] = std::move(value); }

  friend bool operator==(const Params&, const Params&) = default;

 private:
  std::map<std::string, ParamValue> m_values;
};

// The value as a config file writes it: 16, 1e-05, true, xavier.
std::string to_string(const ParamValue& value);

}  // namespace robust_kbench
