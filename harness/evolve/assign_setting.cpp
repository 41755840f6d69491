#include "evolve/assign_setting.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/error.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

[[noreturn]] void refuse_value(const SettingKey& key, const std::string& where,
                               const nlohmann::json& value, const std::string& expected) {
  throw UserError(
      fmt::format("{}: the setting '{}' is {}; give {}", where, key.name, value.dump(), expected));
}

void require_known(const SettingKey& key, const std::string& where, const std::string& value) {
  if (key.values.empty()) return;
  if (std::find(key.values.begin(), key.values.end(), value) != key.values.end()) return;
  refuse_value(key, where, value, "one of " + nlohmann::json(key.values).dump());
}

void require_number(const SettingKey& key, const std::string& where, const std::string& value) {
  if (!key.is_number || value == "auto") return;
  double number = -1;
  const char* const end = value.data() + value.size();
  const auto [last, error] = std::from_chars(value.data(), end, number);
  if (error == std::errc() && last == end && number >= key.low && number <= key.high) return;
  refuse_value(key, where, value,
               fmt::format("a number from {} to {}, or auto", key.low, key.high));
}

struct Assign {
  EvolutionSettings& settings;
  const SettingKey& key;
  const nlohmann::json& value;
  const std::string& where;

  template <typename Number>
  void number(Number EvolutionSettings::*member) const {
    const bool right = std::is_same_v<Number, int> ? value.is_number_integer() : value.is_number();
    const double given = right ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(given >= key.low && given <= key.high)) {
      refuse_value(
          key, where, value,
          fmt::format("{} from {} to {}", std::is_same_v<Number, int> ? "an integer" : "a number",
                      key.low, key.high));
    }
    settings.*member = value.get<Number>();
  }
  void operator()(int EvolutionSettings::*member) const { number(member); }
  void operator()(double EvolutionSettings::*member) const { number(member); }
  void operator()(bool EvolutionSettings::*member) const {
    if (!value.is_boolean()) refuse_value(key, where, value, "true or false");
    settings.*member = value.get<bool>();
  }
  void operator()(std::string EvolutionSettings::*member) const {
    if (!value.is_string()) refuse_value(key, where, value, "a text");
    require_known(key, where, value.get<std::string>());
    require_number(key, where, value.get<std::string>());
    settings.*member = value.get<std::string>();
  }
  void operator()(nlohmann::json EvolutionSettings::*member) const {
    if (!value.is_object()) refuse_value(key, where, value, "an object");
    settings.*member = value;
  }
  void operator()(SettingKey::Texts EvolutionSettings::*member) const {
    const auto is_text = [](const nlohmann::json& item) { return item.is_string(); };
    if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_text)) {
      refuse_value(key, where, value, "a list of texts");
    }
    for (const nlohmann::json& item : value) {
      require_known(key, where, item.get<std::string>());
      require_number(key, where, item.get<std::string>());
    }
    auto texts = value.get<SettingKey::Texts>();
    if (key.is_filled && texts.empty()) refuse_value(key, where, value, "at least one");
    const std::set<std::string> distinct(texts.begin(), texts.end());
    if (key.is_filled && distinct.size() < texts.size()) {
      refuse_value(key, where, value, "each of them once");
    }
    settings.*member = std::move(texts);
  }
};

}  // namespace

void assign_setting(EvolutionSettings& settings, const SettingKey& key, const nlohmann::json& value,
                    const std::string& where) {
  std::visit(Assign{settings, key, value, where}, key.member);
}

}  // namespace robust_kbench
