#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "evolve/settings.hpp"
#include "llm/helper.hpp"
#include "llm/helper_program.hpp"
#include "llm/ledger.hpp"
#include "llm/surroundings.hpp"
#include "runs/model_choices.hpp"

namespace robust_kbench {

// The language models of a command (docs/models.md): which of them it may ask, and one ledger and
// one helper for all of its runs.
class ModelUse {
 public:
  // Throws UserError as ModelChoices() does.
  ModelUse(HelperProgram program, CapTexts options,
           Surroundings surroundings = robust_kbench::surroundings())
      : m_program(std::move(program)),
        m_choices(m_program, std::move(options), std::move(surroundings)) {}

  ModelChoices& choices() { return m_choices; }
  [[nodiscard]] const ModelChoices& choices() const { return m_choices; }

  // Returns the ledger of the command, whose cap the settings may lower. The archive, which is the
  // same for all of its runs, outlives the use of the ledger.
  Ledger& ledger(Archive& archive, const EvolutionSettings& settings);
  // Names the file of the settings that ledger() gets, for messages; empty: there is none.
  void read_settings_of(std::string file) { m_settings_file = std::move(file); }
  // Describes the cap of a command with these settings to people: "your cap of $5.00 (--max-usd)".
  [[nodiscard]] std::string cap_text(const EvolutionSettings& settings) const;

  // Starts the helper where it does not run yet. Keys leave the environment of this process. The
  // helper of a command that only plans gets none.
  Helper& helper(const EvolutionSettings& settings);
  // Starts a helper that renders prompts and asks nobody.
  [[nodiscard]] std::unique_ptr<Helper> renderer() const;
  // Throws UserError where one of these models cannot be asked: its provider's key is missing, or
  // its price where the cap is in dollars alone. Call it before a run begins.
  void require_askable(const EvolutionSettings& settings, const std::vector<std::string>& models);

  // Takes the keys of all known providers out of the environment of this process, but for these
  // variables. A command that asks no model and starts programs calls it.
  void drop_keys_but(const std::vector<std::string>& variables) const;
  // Returns whether the variable holds the key of a known provider.
  [[nodiscard]] bool holds_key(const std::string& variable) const;

 private:
  [[nodiscard]] Ledger::Options ledger_options(const EvolutionSettings& settings) const;

  const HelperProgram m_program;
  ModelChoices m_choices;
  std::unique_ptr<Ledger> m_ledger;
  std::unique_ptr<Helper> m_helper;
  std::string m_settings_file;
};

}  // namespace robust_kbench
