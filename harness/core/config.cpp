#include "core/config.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "core/nearest_name.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<ConfigSet, std::string_view>, 3> set_names{{
    {ConfigSet::single, "single"},
    {ConfigSet::multi, "multi"},
    {ConfigSet::small, "small"},
}};

constexpr std::array<std::string_view, 3> parts{"init", "input", "shared"};

std::string list_name(std::string_view set, std::string_view part) {
  return std::string(set) + "_" + std::string(part) + "_configs";
}

void check_lists(const json& file, const std::string& source) {
  if (!file.is_object()) throw UserError(source + ": expected a JSON object of config lists");
  for (const auto& item : file.items()) {
    const std::string& key = item.key();
    const json& list = item.value();
    const bool known = std::any_of(set_names.begin(), set_names.end(), [&](const auto& set) {
      return std::any_of(parts.begin(), parts.end(),
                         [&](std::string_view part) { return key == list_name(set.second, part); });
    });
    if (!known) {
      throw UserError(source + ": list '" + key +
                      "' is unknown; known: {single,multi,small}_{init,input,shared}_configs");
    }
    const bool objects =
        list.is_array() &&
        std::all_of(list.begin(), list.end(), [](const json& o) { return o.is_object(); });
    if (!objects) throw UserError(source + ": '" + key + "' must be a list of objects");
  }
}

const char* type_of(const ParamValue& value) {
  if (std::holds_alternative<std::int64_t>(value)) return "an integer";
  if (std::holds_alternative<double>(value)) return "a number";
  return std::holds_alternative<bool>(value) ? "true or false" : "a text";
}

ParamValue value_like(const json& value, const ParamValue& wanted, const std::string& where) {
  if (std::holds_alternative<std::int64_t>(wanted) && value.is_number_integer()) {
    constexpr std::uint64_t max = std::numeric_limits<std::int64_t>::max();
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > max) {
      throw UserError(where + " is " + value.dump() + ", expected at most " + std::to_string(max));
    }
    return value.get<std::int64_t>();
  }
  if (std::holds_alternative<double>(wanted) && value.is_number()) return value.get<double>();
  if (std::holds_alternative<bool>(wanted) && value.is_boolean()) return value.get<bool>();
  if (std::holds_alternative<std::string>(wanted) && value.is_string()) {
    return value.get<std::string>();
  }
  throw UserError(where + " is " + value.dump() + ", expected " + type_of(wanted) +
                  " like the task's default " + to_string(wanted));
}

// Case names hold [A-Za-z0-9_./] only: '-' starts the negative part of a GoogleTest filter.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return !std::isalnum(c) && c != '_' && c != '.'; }, '_');
  return text;
}

std::string name_of(const json& merged) {
  std::string name;
  for (const auto& [key, value] : merged.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    name += (name.empty() ? "" : ".") + printable(key + "_" + text);
  }
  return name.empty() ? "default" : name;
}

Params params_of(const json& merged, const std::string& source, const Params& defaults,
                 const std::vector<std::string>& ignored_keys) {
  Params params = defaults;
  for (const auto& [key, value] : merged.items()) {
    if (std::find(ignored_keys.begin(), ignored_keys.end(), key) != ignored_keys.end()) continue;
    const auto known = defaults.values().find(key);
    if (known == defaults.values().end()) {
      std::string names;
      std::vector<std::string_view> parameters;
      for (const auto& [name, unused] : defaults.values()) {
        names += (names.empty() ? "" : ", ") + name;
        parameters.push_back(name);
      }
      throw UserError(source + ": key '" + key + "' is no parameter of the task" +
                      did_you_mean(key, parameters) + " known: " + names);
    }
    params.set(key, value_like(value, known->second, source + ": '" + key + "'"));
  }
  return params;
}

// A key in both `init` and `input` must have one value there, unless `shared` overrides it.
json merge(const json& init, const json& input, const json& shared, const std::string& source) {
  json merged = init;
  for (const auto& [key, value] : input.items()) {
    if (merged.contains(key) && merged[key] != value && !shared.contains(key)) {
      throw UserError(source + ": '" + key + "' is " + merged[key].dump() + " for init and " +
                      value.dump() + " for input; give it once, in the shared list");
    }
    merged[key] = value;
  }
  merged.update(shared);
  return merged;
}

}  // namespace

std::string_view to_string(ConfigSet set) {
  if (set == ConfigSet::drawn) return "drawn";  // no file lists any
  return std::find_if(set_names.begin(), set_names.end(),
                      [&](const auto& row) { return row.first == set; })
      ->second;
}

ConfigSet parse_config_set(std::string_view name) {
  for (const auto& [set, set_name] : set_names) {
    if (name == set_name) return set;
  }
  throw UserError("config set '" + std::string(name) + "' is unknown; known: single, multi, small");
}

std::vector<Config> expand_configs(const json& file, const std::string& source, ConfigSet set,
                                   const Params& defaults,
                                   const std::vector<std::string>& ignored_keys) {
  check_lists(file, source);
  const auto list = [&](std::string_view part) -> json {
    return file.value(list_name(to_string(set), part), json::array());
  };
  std::vector<Config> configs;
  std::set<std::string> names;
  for (const json& init : list("init")) {
    for (const json& input : list("input")) {
      for (const json& shared : list("shared")) {
        const json merged = merge(init, input, shared, source);
        Config config{.set = set, .params = params_of(merged, source, defaults, ignored_keys)};
        const bool seen = std::any_of(configs.begin(), configs.end(), [&](const Config& other) {
          return other.params == config.params;
        });
        if (seen) continue;
        const std::string base = std::string(to_string(set)) + "/" + name_of(merged);
        config.name = base;
        for (int i = 2; !names.insert(config.name).second; ++i) {
          config.name = base + "/" + std::to_string(i);
        }
        configs.push_back(std::move(config));
      }
    }
  }
  return configs;
}

}  // namespace robust_kbench
