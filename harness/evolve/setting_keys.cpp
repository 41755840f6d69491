#include "evolve/setting_keys.hpp"

#include <utility>

#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/own_command.hpp"
#include "ipc/estimate.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

using S = EvolutionSettings;
using Keys = std::vector<SettingKey>;

SettingKey choice(std::string_view name, SettingKey::Member member, std::string_view what,
                  SettingKey::Texts values) {
  return {.name = name, .member = member, .what = what, .values = std::move(values)};
}

SettingKey temperature(std::string_view name, SettingKey::Member member, std::string_view what) {
  return {.name = name, .member = member, .what = what, .high = 2, .is_number = true};
}

SettingKey effort(std::string_view name, SettingKey::Member member, std::string_view what) {
  return choice(name, member, what, {"auto", "high", "medium", "low"});
}

SettingKey::Texts capability_words() {
  SettingKey::Texts words{"all"};
  for (const std::string& name : names_in_list(all_capabilities())) words.emplace_back(name);
  return words;
}

SettingKey proposers() {
  SettingKey key = choice("proposers", &S::proposers, "sources of proposals, asked in turns",
                          {"auto", "llm", "transform", "tune", "command", "manual"});
  key.is_filled = true;
  return key;
}

Keys keys_of_search() {
  return {
      {"seed", &S::seed, "seed of every random choice"},
      proposers(),
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
      choice("configs", &S::configs, "set of configs that count; empty: the device's usual one",
             {"", "single", "multi", "small"}),
      choice("estimators", &S::estimators,
             "usual ways to time that stand beside ours where a winner is confirmed on a GPU; no "
             "verdict depends on them",
             {estimator_names.begin(), estimator_names.end()}),
      choice("allow", &S::allow,
             "classes that a kernel's code may ask for although they are refused by default",
             capability_words()),
      {"require_replay", &S::require_replay,
       "a CUDA kernel wins only if its work can be replayed without its host code, and is right"},
      {"slower_limit", &S::slower_limit, "share by which no config may be certainly slower", 0, 10},
      {"level", &S::level, "chance that a run accepts any child that is no faster", 1e-6, 0.5},
      {"deduplicate", &S::deduplicate, "leave out what was tried before"},
      {"profile", &S::profile, "profile each parent, so that fitting rules come first"},
      {"report", &S::report,
       "file of an HTML page that is renewed with each generation, kept as an absolute path"},
      {"prior", &S::prior, "a run of the archive whose refused proposals are not tried again"},
      {"command", &S::command, "a program that reads a prompt and writes a kernel"},
      {"command_seconds", &S::command_seconds, "limit of one answer", 1, 86400},
      {"command_environment", &S::command_environment, "names of variables that it may see"},
  };
}

Keys keys_of_models() {
  return {
      {"models", &S::models,
       "language models as provider/name, one drawn for each proposal; empty: "
       "the default of each provider whose key is set"},
      {"providers", &S::providers, "what the person's configuration says of providers, repeated"},
      choice("transport", &S::transport, "how models are asked", {"helper", "manual"}),
      temperature("temperatures", &S::temperatures,
                  "one is drawn for each proposal; auto: the endpoint's own"),
      effort("efforts", &S::efforts, "one is drawn for each proposal"),
      {"max_output_tokens", &S::max_output_tokens, "of a proposal", 256, 1e6},
      {"model_seconds", &S::model_seconds, "limit of one attempt to ask a model", 1, 86400},
      choice("context", &S::context, "which other kernels a prompt shows",
             {"best", "top", "random"}),
      {"context_size", &S::context_size, "kernels that a prompt shows, the parent included", 1,
       100},
      {"examples", &S::examples, "answers that a prompt shows", 0, 1},
      {"show_shapes", &S::show_shapes, "shapes of the timed configs stand in prompts"},
      {"left_out", &S::left_out, "share of the recommendations that a prompt leaves out", 0, 1},
      {"repairs", &S::repairs, "of a model's proposal that failed", 0, 1},
      {"tune_share", &S::tune_share, "of the proposals that come from tune, beside models", 0, 0.9},
      choice("profile_summary", &S::profile_summary, "who puts a profile into words",
             {"rules", "llm", "off"}),
      choice("on_model_failure", &S::on_model_failure, "where models fail again and again",
             {"stop", "go_on"}),
      choice("on_overrun", &S::on_overrun, "where a bill exceeds what was reserved for it",
             {"stop", "go_on"}),
      {"max_usd", &S::max_usd, "lowers a person's cap in dollars; 0: does not"},
      {"max_tokens", &S::max_tokens, "lowers a person's cap in tokens; 0: does not"},
      {"max_calls", &S::max_calls, "lowers a person's cap in calls; 0: does not"},
  };
}

Keys keys_of_verifiers() {
  return {
      choice("votes", &S::votes, "whether verifiers vote on proposals",
             {"auto", "on", "audit", "off"}),
      choice("gate", &S::gate, "what votes decide", {"rank", "majority", "off"}),
      {"evaluated", &S::evaluated, "proposals of a generation that go on, by rank", 1, 1000},
      {"verifier_model", &S::verifier_model, "provider/name; empty: the provider's default"},
      temperature("verifier_temperature", &S::verifier_temperature, "auto: the endpoint's own"),
      effort("verifier_effort", &S::verifier_effort, "of verifiers"),
      {"verifier_output_tokens", &S::verifier_output_tokens, "of a verdict", 256, 1e6},
      {"reflections", &S::reflections, "second looks of a verifier at its verdict", 0, 5},
      temperature("writer_temperature", &S::writer_temperature,
                  "of the model that writes instructions for verifiers; auto: the endpoint's own"),
      effort("writer_effort", &S::writer_effort, "of that model"),
      {"writer_output_tokens", &S::writer_output_tokens, "of instructions", 256, 1e6},
      {"writer_generations", &S::writer_generations, "instructions that are written", 1, 1000},
      {"writer_summary", &S::writer_summary,
       "a second question tells that model what a verifier's mistakes have in common"},
      {"verifier_instructions", &S::verifier_instructions,
       "texts by verifier (compilation, memory, numerics) in place of the prompts' own"},
  };
}

Keys keys_of_translation() {
  return {
      {"translate", &S::translate,
       "begin with a translation of the reference, also where the task has a plain kernel"},
      {"translate_model", &S::translate_model, "provider/name; empty: the first of models"},
      temperature("translate_temperature", &S::translate_temperature, "auto: the endpoint's own"),
      effort("translate_effort", &S::translate_effort, "of translations"),
      {"translate_output_tokens", &S::translate_output_tokens, "of a translation", 256, 1e6},
      {"translate_attempts", &S::translate_attempts, "to translate a reference", 1, 1000},
      {"translate_exhaust", &S::translate_exhaust,
       "go on after the first right translation, and keep the fastest"},
      {"translate_independent", &S::translate_independent,
       "make all attempts at the same time, where none sees another's error"},
      {"error_summary", &S::error_summary,
       "a second question condenses the error of a translation"},
  };
}

Keys all_keys() {
  Keys all;
  for (const Keys& part :
       {keys_of_search(), keys_of_models(), keys_of_verifiers(), keys_of_translation()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

const std::vector<SettingKey>& setting_keys() {
  static const Keys keys = all_keys();
  return keys;
}

const SettingKey& setting_key(const std::string& name, const std::string& where) {
  std::vector<std::string_view> known;
  for (const SettingKey& key : setting_keys()) {
    if (key.name == name) return key;
    known.push_back(key.name);
  }
  throw UserError(
      fmt::format("{}: the setting '{}' is unknown; did you mean '{}'? `{} evolve "
                  "--schema` lists all",
                  where, name, nearest_name(name, known), own_command()));
}

}  // namespace robust_kbench
