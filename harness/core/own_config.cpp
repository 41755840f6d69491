#include "core/own_config.hpp"

#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/utf8.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr const char* name_begins = "own_";  // configs of files begin with their set's name

// A value of the type of its key's default, since a text parameter's value may look like a number.
json typed_value(const std::string& text, const std::string& key, const Params& defaults) {
  const auto known = defaults.values().find(key);
  const bool is_text =
      known != defaults.values().end() && std::holds_alternative<std::string>(known->second);
  if (is_text) return text;
  json value = parse_json_if_any(text);
  return value.is_discarded() || value.is_null() ? json(text) : value;
}

// Parses "batch_size=16,init_method=xavier".
json parse_values(const std::string& text, const std::string& source, const Params& defaults) {
  if (const std::string valid = valid_utf8(text); valid != text) {
    throw UserError("--config " + valid + " has bytes that are no UTF-8; give it as UTF-8");
  }
  json values = json::object();
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t sign = item.find('=');
    const std::string key = item.substr(0, sign);
    if (sign == std::string::npos || key.empty() || values.contains(key)) {
      throw UserError(source + ": '" + item + "' " +
                      (values.contains(key) ? "gives a key again" : "is no KEY=VALUE") +
                      "; a config is given as batch_size=16,num_features=64");
    }
    values[key] = typed_value(item.substr(sign + 1), key, defaults);
  }
  return values;
}

// Checks the values as if a file listed this one config.
Params own_params(const json& values, const std::string& source, const Params& defaults,
                  const std::vector<std::string>& ignored_keys) {
  const json file{{"multi_init_configs", json::array({json::object()})},
                  {"multi_input_configs", json::array({json::object()})},
                  {"multi_shared_configs", json::array({values})}};
  return expand_configs(file, source, ConfigSet::multi, defaults, ignored_keys).front().params;
}

}  // namespace

std::vector<Config> own_configs(const std::vector<std::string>& texts, const Params& defaults,
                                const std::vector<std::string>& ignored_keys) {
  std::vector<Config> configs;
  for (const std::string& text : texts) {
    const std::string source = "--config " + text;
    const json values = parse_values(text, source, defaults);
    Config config{.set = ConfigSet::multi,
                  .name = name_begins + std::to_string(configs.size() + 1),
                  .params = own_params(values, source, defaults, ignored_keys)};
    for (const Config& other : configs) {
      if (other.params != config.params) continue;
      throw UserError(source + " is the same as " + other.name + "; give it once");
    }
    configs.push_back(std::move(config));
  }
  return configs;
}

bool is_own(const Config& config) {
  return config.name.starts_with(name_begins);
}

std::string own_config_text(const Params& params, const Params& defaults) {
  std::string text;
  for (const auto& [key, value] : params.values()) {
    const auto known = defaults.values().find(key);
    if (known != defaults.values().end() && known->second == value) continue;
    text += (text.empty() ? "" : ",") + key + "=" + to_string(value);
  }
  if (!text.empty() || params.values().empty()) return text;
  const auto& [key, value] = *params.values().begin();
  return key + "=" + to_string(value);
}

}  // namespace robust_kbench
