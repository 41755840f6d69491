#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive/call_store.hpp"
#include "cli/command_line.hpp"
#include "evolve/settings.hpp"
#include "llm/cap_source.hpp"
#include "llm/helper.hpp"
#include "llm/helper_program.hpp"
#include "llm/ledger.hpp"
#include "llm/model_list.hpp"
#include "llm/person_config.hpp"
#include "llm/providers.hpp"
#include "llm/surroundings.hpp"

namespace robust_kbench {

// --max-usd, --max-tokens and --max-calls. `cap` outlives the parsing.
void add_cap_options(CommandLine& command, CapTexts& cap);

// What a command may ask of language models (docs/models.md). It has the cap, the person's keys and
// configuration, and one ledger and one helper for all of its runs.
class ModelUse {
 public:
  // Throws UserError for what is no cap, and for a configuration that cannot be read or names a
  // provider that cannot be asked. The surroundings forget the keys of all known providers.
  ModelUse(HelperProgram program, CapTexts options,
           Surroundings surroundings = robust_kbench::surroundings());

  // Whether `auto` means models: a person has set a cap and the key of a provider with a default.
  [[nodiscard]] bool is_default() const;
  // The settings with the models that are asked, and proposers in place of `auto`. Models that are
  // retired are replaced, and stderr says by which. Where models are wanted and may not be asked,
  // it says why, and the run stays offline.
  [[nodiscard]] EvolutionSettings resolved(EvolutionSettings settings);
  // The settings with models in place of those that are retired today.
  [[nodiscard]] EvolutionSettings in_use(EvolutionSettings settings) const;
  // The models of these settings that resolved() has put in place of retired ones: a list of
  // {"from", "to"}.
  [[nodiscard]] nlohmann::json replaced_models(const EvolutionSettings& settings) const;

  // The ledger of the command, whose cap the settings may lower.
  Ledger& ledger(const std::filesystem::path& archive, const EvolutionSettings& settings);
  CallStore& store() { return *m_store; }
  // The file of the settings that ledger() gets, for messages; empty: none.
  void read_settings_of(std::string file) { m_settings_file = std::move(file); }
  // Nothing will be asked from here on. So resolved() needs no cap, and helper() no key.
  void only_plan() { m_plans = true; }
  // Starts the helper where it does not run yet. Keys leave the environment of this process.
  Helper& helper(const EvolutionSettings& settings);
  // Throws UserError where one of these models cannot be asked: its provider's key is missing, or
  // its price where the cap is in dollars alone. Call it before a run begins.
  void require_askable(const EvolutionSettings& settings, const std::vector<std::string>& models);
  // Takes the keys of all known providers out of the environment of this process, but for these
  // variables. For a command that asks no model, and starts programs.
  void drop_keys_but(const std::vector<std::string>& variables) const;
  // Whether the variable holds the key of a known provider.
  [[nodiscard]] bool holds_key(const std::string& variable) const;
  // A helper that renders prompts and asks nobody.
  [[nodiscard]] std::unique_ptr<Helper> renderer() const;
  // What a run begins with that asks models, or the paper's settings with its models.
  [[nodiscard]] EvolutionSettings preset(const std::string& name) const;
  // The cap of a command with these settings, for people: "your cap of $5.00 (--max-usd)".
  [[nodiscard]] std::string cap_text(const EvolutionSettings& settings) const;
  [[nodiscard]] const Surroundings& surroundings() const { return m_surroundings; }

 private:
  [[nodiscard]] CapSource cap() const;
  [[nodiscard]] Ledger::Options ledger_options(const EvolutionSettings& settings) const;
  [[nodiscard]] std::vector<std::string> default_models() const;
  // Notes each model that is retired, and says so once for each.
  void note_retired(const EvolutionSettings& settings);

  const HelperProgram m_program;
  const CapTexts m_options;
  const PersonConfig m_config;
  const Providers m_providers;  // known ones
  const ModelList m_list;
  Surroundings m_surroundings;
  std::map<std::string, std::string> m_replaced;  // by the retired model
  std::unique_ptr<CallStore> m_store;
  std::unique_ptr<Ledger> m_ledger;
  std::unique_ptr<Helper> m_helper;
  std::string m_settings_file;
  bool m_plans = false;
};

// All models that a run of these settings may ask.
std::vector<std::string> models_of(const EvolutionSettings& settings);
bool asks_models(const EvolutionSettings& settings);

}  // namespace robust_kbench
