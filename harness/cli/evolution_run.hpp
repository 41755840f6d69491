#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "cli/evolution_view.hpp"
#include "cli/suite.hpp"
#include "evolve/evolution.hpp"
#include "evolve/journal.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// What is evolved, as options name it.
struct EvolvedEntry {
  std::string task;
  std::string direction;
  std::string device;  // empty: a GPU where there is one, and the suite has a CUDA kernel
};

// Puts together one run of an evolution: seeds, proposers, evaluator and view.
class EvolutionRun {
 public:
  // `suite` outlives this object. Throws UserError.
  EvolutionRun(const Suite& suite, const EvolvedEntry& evolved, EvolutionSettings settings);

  [[nodiscard]] std::string plan_text() const;
  [[nodiscard]] Device device() const { return m_device; }

  // `resumed` is the id of a run to go on with; empty: a new one. With `recorded`, that run answers
  // in place of evaluations and programs.
  RunRow go(Archive& archive, const std::string& resumed,
            const std::optional<RecordedRun>& recorded, const std::stop_token& stop);

 private:
  [[nodiscard]] std::string first_parent() const;
  [[nodiscard]] std::vector<ConfigSet> config_sets() const;
  [[nodiscard]] std::vector<std::string> config_names() const;
  [[nodiscard]] std::vector<std::unique_ptr<Proposer>> proposers(
      const std::filesystem::path& directory, Journal& journal, const std::stop_token& stop) const;

  const Suite& m_suite;
  const EvolutionSettings m_settings;
  const Entry m_entry;
  const Device m_device;
  EvolutionPlan m_plan;
  EvolutionView m_view;
};

}  // namespace robust_kbench
