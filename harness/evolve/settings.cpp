#include "evolve/settings.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <variant>

#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/own_command.hpp"
#include "core/parse_json.hpp"
#include "ipc/estimate.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using Texts = std::vector<std::string>;
using Member = std::variant<int EvolutionSettings::*, double EvolutionSettings::*,
                            bool EvolutionSettings::*, std::string EvolutionSettings::*,
                            Texts EvolutionSettings::*, nlohmann::json EvolutionSettings::*>;

struct Key {
  std::string_view name;
  Member member;
  std::string_view what;
  double low = 0;  // of numbers
  double high = 1e9;
  Texts values = {};       // of texts; empty: any
  bool is_number = false;  // a text that is one, or `auto`
  bool is_filled = false;  // a list that is not empty, with no text twice
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
       {"auto", "llm", "transform", "tune", "command", "manual"},
       false,
       true},
      {"seed_kernel", &S::seed_kernel, "best, plain, a registered kernel's name or a source file"},
      {"minutes", &S::minutes, "of wall clock, confirmation included", 0.1, 1e5},
      {"max_evaluations", &S::max_evaluations, "candidates that are tested; 0: no limit"},
      {"gpu_seconds", &S::gpu_seconds, "in which a GPU may be used; 0: no limit"},
      {"max_generations", &S::max_generations, "0: no limit"},
      {"population", &S::population, "proposals of a generation", 1, 1000},
      {"side_by_side", &S::side_by_side,
       "proposals from one parent that are evaluated at a time; 0: 1 on the CPU, on each GPU as "
       "many as three quarters of the processors, at most 12",
       0, 1000},
      {"plateau", &S::plateau, "candidates in a row without a gain that end the run", 1, 1e6},
      {"tune_budget", &S::tune_budget, "settings of one parent that are tried", 1, 1e6},
      {"configs",
       &S::configs,
       "set of configs that count; empty: the device's usual one",
       0,
       0,
       {"", "single", "multi", "small"}},
      {"estimators",
       &S::estimators,
       "usual ways to time that stand beside ours where a winner is confirmed on a GPU; no verdict "
       "depends on them",
       0,
       0,
       {estimator_names.begin(), estimator_names.end()}},
      {"slower_limit", &S::slower_limit, "share by which no config may be certainly slower", 0, 10},
      {"level", &S::level, "chance that a run accepts any child that is no faster", 1e-6, 0.5},
      {"deduplicate", &S::deduplicate, "leave out what was tried before"},
      {"profile", &S::profile, "profile each parent, so that fitting rules come first"},
      {"prior", &S::prior, "a run of the archive whose refused proposals are not tried again"},
      {"command", &S::command, "a program that reads a prompt and writes a kernel"},
      {"command_seconds", &S::command_seconds, "limit of one answer", 1, 86400},
      {"command_environment", &S::command_environment, "names of variables that it may see"},
      {"models", &S::models,
       "language models as provider/name, one drawn for each proposal; empty: "
       "the default of each provider whose key is set"},
      {"providers", &S::providers, "what the person's configuration says of providers, repeated"},
      {"transport", &S::transport, "how models are asked", 0, 0, {"helper", "manual"}},
      {"temperatures",
       &S::temperatures,
       "one is drawn for each proposal; auto: the endpoint's own",
       0,
       2,
       {},
       true},
      {"efforts",
       &S::efforts,
       "one is drawn for each proposal",
       0,
       0,
       {"auto", "high", "medium", "low"}},
      {"max_output_tokens", &S::max_output_tokens, "of a proposal", 256, 1e6},
      {"model_seconds", &S::model_seconds, "limit of one attempt to ask a model", 1, 86400},
      {"context",
       &S::context,
       "which other kernels a prompt shows",
       0,
       0,
       {"best", "top", "random"}},
      {"context_size", &S::context_size, "kernels that a prompt shows, the parent included", 1,
       100},
      {"examples", &S::examples, "answers that a prompt shows", 0, 1},
      {"show_shapes", &S::show_shapes, "shapes of the timed configs stand in prompts"},
      {"left_out", &S::left_out, "share of the recommendations that a prompt leaves out", 0, 1},
      {"repairs", &S::repairs, "of a model's proposal that failed", 0, 1},
      {"tune_share", &S::tune_share, "of the proposals that come from tune, beside models", 0, 0.9},
      {"profile_summary",
       &S::profile_summary,
       "who puts a profile into words",
       0,
       0,
       {"rules", "llm", "off"}},
      {"on_model_failure",
       &S::on_model_failure,
       "where models fail again and again",
       0,
       0,
       {"stop", "go_on"}},
      {"on_overrun",
       &S::on_overrun,
       "where a bill exceeds what was reserved for it",
       0,
       0,
       {"stop", "go_on"}},
      {"max_usd", &S::max_usd, "lowers a person's cap in dollars; 0: does not"},
      {"max_tokens", &S::max_tokens, "lowers a person's cap in tokens; 0: does not"},
      {"max_calls", &S::max_calls, "lowers a person's cap in calls; 0: does not"},
      {"votes",
       &S::votes,
       "whether verifiers vote on proposals",
       0,
       0,
       {"auto", "on", "audit", "off"}},
      {"gate", &S::gate, "what votes decide", 0, 0, {"rank", "majority", "off"}},
      {"evaluated", &S::evaluated, "proposals of a generation that go on, by rank", 1, 1000},
      {"verifier_model", &S::verifier_model, "provider/name; empty: the provider's default"},
      {"verifier_temperature",
       &S::verifier_temperature,
       "auto: the endpoint's own",
       0,
       2,
       {},
       true},
      {"verifier_effort",
       &S::verifier_effort,
       "of verifiers",
       0,
       0,
       {"auto", "high", "medium", "low"}},
      {"verifier_output_tokens", &S::verifier_output_tokens, "of a verdict", 256, 1e6},
      {"reflections", &S::reflections, "second looks of a verifier at its verdict", 0, 5},
      {"writer_temperature",
       &S::writer_temperature,
       "of the model that writes instructions for verifiers; auto: the endpoint's own",
       0,
       2,
       {},
       true},
      {"writer_effort",
       &S::writer_effort,
       "of that model",
       0,
       0,
       {"auto", "high", "medium", "low"}},
      {"writer_output_tokens", &S::writer_output_tokens, "of instructions", 256, 1e6},
      {"writer_generations", &S::writer_generations, "instructions that are written", 1, 1000},
      {"writer_summary", &S::writer_summary,
       "a second question tells that model what a verifier's mistakes have in common"},
      {"verifier_instructions", &S::verifier_instructions,
       "texts by verifier (compilation, memory, numerics) in place of the prompts' own"},
      {"translate", &S::translate,
       "begin with a translation of the reference, also where the task has a plain kernel"},
      {"translate_model", &S::translate_model, "provider/name; empty: the first of models"},
      {"translate_temperature",
       &S::translate_temperature,
       "auto: the endpoint's own",
       0,
       2,
       {},
       true},
      {"translate_effort",
       &S::translate_effort,
       "of translations",
       0,
       0,
       {"auto", "high", "medium", "low"}},
      {"translate_output_tokens", &S::translate_output_tokens, "of a translation", 256, 1e6},
      {"translate_attempts", &S::translate_attempts, "to translate a reference", 1, 1000},
      {"translate_exhaust", &S::translate_exhaust,
       "go on after the first right translation, and keep the fastest"},
      {"translate_independent", &S::translate_independent,
       "make all attempts at the same time, where none sees another's error"},
      {"error_summary", &S::error_summary,
       "a second question condenses the error of a translation"},
  };
  return all;
}

const Key& key_of(const std::string& name, const std::string& where) {
  std::vector<std::string_view> known;
  for (const Key& key : keys()) {
    if (key.name == name) return key;
    known.push_back(key.name);
  }
  throw UserError(
      fmt::format("{}: the setting '{}' is unknown; did you mean '{}'? `{} evolve "
                  "--schema` lists all",
                  where, name, nearest_name(name, known), own_command()));
}

[[noreturn]] void refuse_value(const Key& key, const std::string& where,
                               const nlohmann::json& value, const std::string& expected) {
  throw UserError(
      fmt::format("{}: the setting '{}' is {}; give {}", where, key.name, value.dump(), expected));
}

void require_known(const Key& key, const std::string& where, const std::string& value) {
  if (key.values.empty()) return;
  if (std::find(key.values.begin(), key.values.end(), value) != key.values.end()) return;
  refuse_value(key, where, value, "one of " + nlohmann::json(key.values).dump());
}

void require_number(const Key& key, const std::string& where, const std::string& value) {
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
  const Key& key;
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
  void operator()(Texts EvolutionSettings::*member) const {
    const auto is_text = [](const nlohmann::json& item) { return item.is_string(); };
    if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_text)) {
      refuse_value(key, where, value, "a list of texts");
    }
    for (const nlohmann::json& item : value) {
      require_known(key, where, item.get<std::string>());
      require_number(key, where, item.get<std::string>());
    }
    Texts texts = value.get<Texts>();
    if (key.is_filled && texts.empty()) refuse_value(key, where, value, "at least one");
    for (std::size_t i = 1; key.is_filled && i < texts.size(); ++i) {
      if (std::find(texts.begin(), texts.begin() + i, texts[i]) != texts.begin() + i) {
        refuse_value(key, where, value, "each of them once");
      }
    }
    settings.*member = std::move(texts);
  }
};

nlohmann::json parsed(const Key& key, const std::string& text) {
  if (std::holds_alternative<std::string EvolutionSettings::*>(key.member)) return text;
  nlohmann::json json = parse_json_if_any(text);
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
