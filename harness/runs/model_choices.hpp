#pragma once

#include <map>
#include <string>
#include <vector>

#include "evolve/settings.hpp"
#include "llm/cap_source.hpp"
#include "llm/helper_program.hpp"
#include "llm/model_list.hpp"
#include "llm/person_config.hpp"
#include "llm/providers.hpp"
#include "llm/surroundings.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The language models that the settings of a command mean (docs/models.md). They depend on the
// person's cap, keys and configuration, and on which models are retired.
class ModelChoices {
 public:
  // Throws UserError for a text that is no cap, and for a configuration that cannot be read or
  // names a provider that cannot be asked. The surroundings forget the keys of all known providers.
  ModelChoices(const HelperProgram& program, CapTexts options, Surroundings surroundings);

  [[nodiscard]] const PersonConfig& config() const { return m_config; }
  [[nodiscard]] const Providers& providers() const { return m_providers; }  // known ones
  [[nodiscard]] const Surroundings& surroundings() const { return m_surroundings; }
  [[nodiscard]] CapSource cap() const;

  // Declares that nothing will be asked. So resolved() needs no cap.
  void only_plan() { m_plans = true; }
  [[nodiscard]] bool plans() const { return m_plans; }

  // Returns whether `auto` means models: a person has set a cap and the key of a provider with a
  // default.
  [[nodiscard]] bool is_default() const;
  // Returns the settings of `--preset name`, with the paper's models; of no name: those that a run
  // which asks models begins with.
  [[nodiscard]] EvolutionSettings preset(const std::string& name) const;
  // Returns the settings with the models that are asked, and with proposers in place of `auto`.
  // Models that are retired are replaced, and stderr says by which. Where models are wanted and may
  // not be asked, stderr says why, and the run stays offline.
  [[nodiscard]] EvolutionSettings resolved(EvolutionSettings settings);
  // Returns the settings with models in place of those that are retired today.
  [[nodiscard]] EvolutionSettings in_use(EvolutionSettings settings) const;
  // Returns the models of these settings that resolved() has put in place of retired ones, as a
  // list of {"from", "to"}.
  [[nodiscard]] nlohmann::json replaced_models(const EvolutionSettings& settings) const;

 private:
  [[nodiscard]] std::vector<std::string> default_models() const;
  // Returns why the models of these settings are not asked; empty: they are.
  [[nodiscard]] std::string why_offline(const EvolutionSettings& settings) const;
  // Names the models of each stage that the settings leave open.
  void complete(EvolutionSettings& settings) const;
  // Notes each model that is retired, and says so once for each.
  void note_retired(const EvolutionSettings& settings);

  const CapTexts m_options;
  const PersonConfig m_config;
  const Providers m_providers;
  const ModelList m_list;
  Surroundings m_surroundings;
  std::map<std::string, std::string> m_replaced;  // by the retired model
  bool m_plans = false;
};

// Returns all models that a run of these settings may ask.
std::vector<std::string> models_of(const EvolutionSettings& settings);
bool asks_models(const EvolutionSettings& settings);

}  // namespace robust_kbench
