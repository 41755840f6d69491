#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "propose/model_settings.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Settings of an evolution's run. A settings file is one JSON object with these keys and those of
// ModelSettings; all are optional. `rkb evolve --schema` prints the JSON schema.
struct EvolutionSettings : ModelSettings {
  int seed = 1;  // of every random choice
  // The proposers. `auto` stands for language models and `tune` where models may be asked, else for
  // `transform` and `tune`.
  std::vector<std::string> proposers{"auto"};
  // The first parent. `best` is the fastest right kernel of the entry, `plain` the task's plain
  // one. Else it is the name of a registered kernel, or a source file.
  std::string seed_kernel = "best";
  double minutes = 2.5;     // of wall clock, confirmation included
  int max_evaluations = 0;  // candidates that are tested; 0: no limit
  double gpu_seconds = 0;   // in which a GPU may be used; 0: no limit
  int max_generations = 0;  // 0: no limit
  int population = 8;       // proposals of a generation
  int side_by_side = 0;     // proposals made from one parent and evaluated at a time; 0: as usual
  int plateau = 40;         // ends after so many candidates in a row without a gain
  int tune_budget = 60;     // settings of one parent that are tried
  std::string configs;      // single, multi or small; empty: small on the CPU, single on a GPU
  std::vector<std::string> estimators;  // that also time the winner on a GPU, beside ours
  // Capabilities that kernels may use although they are refused by default (core/capability.hpp).
  std::vector<std::string> allow;
  // A CUDA kernel wins only if it is right where none of its host code runs (replay/).
  bool require_replay = true;
  double slower_limit = 0.1;  // no config may be certainly slower than its parent by more
  double level = 0.05;        // chance that a run accepts any child that is no faster
  bool deduplicate = true;
  bool profile = true;  // parents, so that rules which answer what is found come first
  std::string report;   // file of a page that is renewed with each generation; empty: none
  std::string prior;    // a run of the archive whose refused proposals are not tried again
  std::vector<std::string> command;              // a program: prompt on stdin, answer on stdout
  double command_seconds = 300;                  // limit of one answer
  std::vector<std::string> command_environment;  // names of variables that it may see

  // Language models. `providers` repeats what the person's configuration says (docs/models.md).
  nlohmann::json providers = nlohmann::json::object();
  std::string transport = "helper";  // manual: questions and answers are files
  double model_seconds = 600;        // limit of one attempt
  bool show_shapes = true;           // of the configs, in prompts
  std::string on_overrun = "stop";   // where a bill exceeds its reservation: stop or go_on
  double max_usd = 0;                // these three only lower a person's cap; 0: they do not
  int max_tokens = 0;
  int max_calls = 0;

  // Verifiers.
  std::string votes = "auto";  // auto, on, audit or off
  std::string gate = "rank";   // what votes decide: rank, majority or off
  int evaluated = 4;           // proposals of a generation that go on, by rank
  std::string verifier_model;  // empty: the provider's default
  std::string verifier_temperature = "0";
  std::string verifier_effort = "low";
  int verifier_output_tokens = 4096;
  int reflections = 1;
  // The model that writes instructions for verifiers.
  std::string writer_temperature = "1";
  std::string writer_effort = "high";
  int writer_output_tokens = 16384;
  int writer_generations = 20;  // of instructions
  bool writer_summary = true;   // it sees what mistakes have in common, by a second question
  // Texts by verifier, as `rkb tune-verifier` writes them; missing: the prompt's own.
  nlohmann::json verifier_instructions = nlohmann::json::object();

  // Translation.
  bool translate = false;       // also where the task has a plain kernel
  std::string translate_model;  // empty: the first of `models`
  std::string translate_temperature = "1";
  std::string translate_effort = "high";
  int translate_output_tokens = 16384;  // of a translation
  int translate_attempts = 10;
  bool translate_exhaust = false;      // go on after the first right one, and keep the fastest
  bool translate_independent = false;  // all attempts at once, and none sees another's error
  bool error_summary = true;           // a second question condenses an error

  friend bool operator==(const EvolutionSettings&, const EvolutionSettings&) = default;
};

nlohmann::json to_json(const EvolutionSettings& settings);
// Applies the keys of a settings file. Throws UserError for an unknown key, and names the nearest
// known one; for a value of another type or outside of its range. `where` names the file in
// messages.
void apply_settings(EvolutionSettings& settings, const nlohmann::json& json,
                    const std::string& where);
// Applies one `key=value` of a command line. The value is JSON, or text. A list may be given as
// a,b,c.
void apply_setting(EvolutionSettings& settings, const std::string& assignment);

// The JSON schema of a settings file.
nlohmann::json settings_schema();

}  // namespace robust_kbench
