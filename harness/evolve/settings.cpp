#include "evolve/settings.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "evolve/assign_setting.hpp"
#include "evolve/setting_keys.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

nlohmann::json parsed(const SettingKey& key, const std::string& text) {
  if (std::holds_alternative<std::string EvolutionSettings::*>(key.member)) return text;
  nlohmann::json json = parse_json_if_any(text);
  const bool list = std::holds_alternative<SettingKey::Texts EvolutionSettings::*>(key.member);
  if (!list) return json.is_discarded() ? nlohmann::json(text) : json;
  if (json.is_array()) return json;
  json = nlohmann::json::array();
  for (std::size_t begin = 0; begin <= text.size() && !text.empty();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    json.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return json;
}

}  // namespace

nlohmann::json to_json(const EvolutionSettings& settings) {
  nlohmann::json json = nlohmann::json::object();
  for (const SettingKey& key : setting_keys()) {
    std::visit([&](auto member) { json[std::string(key.name)] = settings.*member; }, key.member);
  }
  return json;
}

void apply_settings(EvolutionSettings& settings, const nlohmann::json& json,
                    const std::string& where) {
  if (!json.is_object()) throw UserError(where + ": the settings are no JSON object");
  for (const auto& [name, value] : json.items()) {
    const SettingKey& key = setting_key(name, where);
    assign_setting(settings, key, value, where);
  }
}

void apply_setting(EvolutionSettings& settings, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    throw UserError("--set " + assignment + ": there is no '='; give key=value");
  }
  const std::string where = "--set " + assignment;
  const SettingKey& key = setting_key(assignment.substr(0, equals), where);
  const nlohmann::json value = parsed(key, assignment.substr(equals + 1));
  assign_setting(settings, key, value, where);
}

nlohmann::json settings_schema() {
  const nlohmann::json defaults = to_json(EvolutionSettings{});
  nlohmann::json properties = nlohmann::json::object();
  for (const SettingKey& key : setting_keys()) {
    const nlohmann::json& value = defaults[std::string(key.name)];
    nlohmann::json property{{"description", key.what}, {"default", value}};
    nlohmann::json item{{"type", "string"}};
    if (!key.values.empty()) item["enum"] = key.values;
    if (value.is_array()) {
      property["type"] = "array";
      property["items"] = item;
    } else if (value.is_string()) {
      property.update(item);
    } else if (value.is_boolean()) {
      property["type"] = "boolean";
    } else if (value.is_object()) {
      property["type"] = "object";
    } else {
      property["type"] = value.is_number_integer() ? "integer" : "number";
      property["minimum"] = key.low;
      property["maximum"] = key.high;
    }
    properties[std::string(key.name)] = std::move(property);
  }
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "Settings of rkb evolve"},
          {"type", "object"},
          {"additionalProperties", false},
          {"properties", std::move(properties)}};
}

}  // namespace robust_kbench
