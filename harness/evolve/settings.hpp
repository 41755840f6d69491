#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// What a run of an evolution may do. A settings file is one JSON object with these keys; all are
// optional. `rkb evolve --schema` prints the JSON schema.
struct EvolutionSettings {
  int seed = 1;  // of every random choice
  std::vector<std::string> proposers{"transform", "tune"};
  // What the run starts from. `best` is the fastest right kernel of the entry, `plain` the task's
  // plain one. Else it is the name of a registered kernel, or a source file.
  std::string seed_kernel = "best";
  double minutes = 2.5;       // of wall clock, confirmation included
  int max_evaluations = 0;    // candidates that are compiled; 0: no limit
  double gpu_seconds = 0;     // in which a GPU may be used; 0: no limit
  int max_generations = 0;    // 0: no limit
  int population = 4;         // proposals of a generation
  int plateau = 40;           // ends after so many candidates in a row without a gain
  int tune_budget = 60;       // settings of one parent that are tried
  std::string configs;        // single, multi or small; empty: small on the CPU, single on a GPU
  double slower_limit = 0.1;  // no config may be certainly slower than its parent by more
  double level = 0.05;        // chance that a run accepts any child that is no faster
  bool deduplicate = true;
  bool profile = true;  // parents, so that rules which answer what is found come first
  std::string prior;    // a run of the archive whose refused proposals are not tried again
  std::vector<std::string> command;              // a program: prompt on stdin, answer on stdout
  double command_seconds = 300;                  // limit of one answer
  std::vector<std::string> command_environment;  // names of variables that it may see

  friend bool operator==(const EvolutionSettings&, const EvolutionSettings&) = default;
};

nlohmann::json to_json(const EvolutionSettings& settings);
// Throws UserError for an unknown key, and names the nearest known one; for a value of another type
// or outside of its range. `where` names the file in messages.
void apply_settings(EvolutionSettings& settings, const nlohmann::json& json,
                    const std::string& where);
// One `key=value` of a command line. The value is JSON, or text. A list may be given as a,b,c.
void apply_setting(EvolutionSettings& settings, const std::string& assignment);

// The JSON schema of a settings file.
nlohmann::json settings_schema();

}  // namespace robust_kbench
