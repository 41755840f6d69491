#include "evolve/settings.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <variant>

#include "core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using Texts = std::vector<std::string>;
using Member =
    std::variant<int EvolutionSettings::*, double EvolutionSettings::*, bool EvolutionSettings::*,
                 std::string EvolutionSettings::*, Texts EvolutionSettings::*>;

struct Key {
  std::string_view name;
  Member member;
  std::string_view what;
  double low = 0;  // of numbers
  double high = 1e9;
  Texts values = {};  // of texts; empty: any
};

const std::vector<Key>& keys() {
  using S = EvolutionSettings;
  static const std::vector<Key> all{
      {"seed", &S::seed, "seed of every random choice"},
      {"proposers",
       &S::proposers,
       "sources of proposals, asked in turns",
       0,
       0,
       {"transform", "tune", "command", "manual"}},
      {"seed_kernel", &S::seed_kernel, "best, plain, a registered kernel's name or a source file"},
      {"minutes", &S::minutes, "of wall clock, confirmation included", 0.1, 1e5},
      {"max_evaluations", &S::max_evaluations, "candidates that are compiled; 0: no limit"},
      {"gpu_seconds", &S::gpu_seconds, "in which a GPU may be used; 0: no limit"},
      {"max_generations", &S::max_generations, "0: no limit"},
      {"population", &S::population, "proposals of a generation", 1, 1000},
      {"plateau", &S::plateau, "candidates in a row without a gain that end the run", 1, 1e6},
      {"tune_budget", &S::tune_budget, "settings of one parent that are tried", 1, 1e6},
      {"configs",
       &S::configs,
       "set of configs that count; empty: the device's usual one",
       0,
       0,
       {"", "single", "multi", "small"}},
      {"slower_limit", &S::slower_limit, "share by which no config may be certainly slower", 0, 10},
      {"level", &S::level, "chance that a run accepts any child that is no faster", 1e-6, 0.5},
      {"deduplicate", &S::deduplicate, "leave out what was tried before"},
      {"profile", &S::profile, "profile each parent, so that fitting rules come first"},
      {"prior", &S::prior, "a run of the archive whose refused proposals are not tried again"},
      {"command", &S::command, "a program that reads a prompt and writes a kernel"},
      {"command_seconds", &S::command_seconds, "limit of one answer", 1, 86400},
      {"command_environment", &S::command_environment, "names of variables that it may see"},
  };
  return all;
}

// The edit distance of Levenshtein.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

const Key& key_of(const std::string& name, const std::string& where) {
  const auto nearer = [&](const Key& a, const Key& b) {
    return distance(a.name, name) < distance(b.name, name);
  };
  const Key& nearest = *std::min_element(keys().begin(), keys().end(), nearer);
  if (nearest.name == name) return nearest;
  throw UserError(
      fmt::format("{}: the setting '{}' is unknown; did you mean '{}'? `rkb evolve "
                  "--schema` lists all",
                  where, name, nearest.name));
}

[[noreturn]] void refuse(const Key& key, const std::string& where, const nlohmann::json& value,
                         const std::string& expected) {
  throw UserError(
      fmt::format("{}: the setting '{}' is {}; give {}", where, key.name, value.dump(), expected));
}

void require_known(const Key& key, const std::string& where, const std::string& value) {
  if (key.values.empty()) return;
  if (std::find(key.values.begin(), key.values.end(), value) != key.values.end()) return;
  refuse(key, where, value, "one of " + nlohmann::json(key.values).dump());
}

struct Assign {
  EvolutionSettings& settings;
  const Key& key;
  const nlohmann::json& value;
  const std::string& where;

  template <typename Number>
  void number(Number EvolutionSettings::*member) const {
    const bool right = std::is_same_v<Number, int> ? value.is_number_integer() : value.is_number();
    const double given = right ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(given >= key.low && given <= key.high)) {
      refuse(
          key, where, value,
          fmt::format("{} from {} to {}", std::is_same_v<Number, int> ? "an integer" : "a number",
                      key.low, key.high));
    }
    settings.*member = value.get<Number>();
  }
  void operator()(int EvolutionSettings::*member) const { number(member); }
  void operator()(double EvolutionSettings::*member) const { number(member); }
  void operator()(bool EvolutionSettings::*member) const {
    if (!value.is_boolean()) refuse(key, where, value, "true or false");
    settings.*member = value.get<bool>();
  }
  void operator()(std::string EvolutionSettings::*member) const {
    if (!value.is_string()) refuse(key, where, value, "a text");
    require_known(key, where, value.get<std::string>());
    settings.*member = value.get<std::string>();
  }
  void operator()(Texts EvolutionSettings::*member) const {
    const auto is_text = [](const nlohmann::json& item) { return item.is_string(); };
    if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_text)) {
      refuse(key, where, value, "a list of texts");
    }
    for (const nlohmann::json& item : value) require_known(key, where, item.get<std::string>());
    settings.*member = value.get<Texts>();
  }
};

nlohmann::json parsed(const Key& key, const std::string& text) {
  if (std::holds_alternative<std::string EvolutionSettings::*>(key.member)) return text;
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const bool list = std::holds_alternative<Texts EvolutionSettings::*>(key.member);
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
  for (const Key& key : keys()) {
    std::visit([&](auto member) { json[std::string(key.name)] = settings.*member; }, key.member);
  }
  return json;
}

void apply_settings(EvolutionSettings& settings, const nlohmann::json& json,
                    const std::string& where) {
  if (!json.is_object()) throw UserError(where + ": the settings are no JSON object");
  for (const auto& [name, value] : json.items()) {
    const Key& key = key_of(name, where);
    std::visit(Assign{settings, key, value, where}, key.member);
  }
}

void apply_setting(EvolutionSettings& settings, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    throw UserError("--set " + assignment + ": there is no '='; give key=value");
  }
  const std::string where = "--set " + assignment;
  const Key& key = key_of(assignment.substr(0, equals), where);
  const nlohmann::json value = parsed(key, assignment.substr(equals + 1));
  std::visit(Assign{settings, key, value, where}, key.member);
}

nlohmann::json settings_schema() {
  const nlohmann::json defaults = to_json(EvolutionSettings{});
  nlohmann::json properties = nlohmann::json::object();
  for (const Key& key : keys()) {
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
