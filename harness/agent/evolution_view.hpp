#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "archive/rows.hpp"
#include "evolve/settings.hpp"
#include "report/progress_line.hpp"
#include "runs/run_listener.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Shows an evolution to a person. The line at the bottom of a terminal says what is being tried.
// Gains and refusals are lines that stay. All text of models and
// programs is escaped, so that it cannot steer a terminal. Threads may share it.
class EvolutionView : public RunListener {
 public:
  explicit EvolutionView(EvolutionSettings settings) : m_settings(std::move(settings)) {}

  // Shows what language models have cost so far beside the time.
  void spends(const std::function<std::string()>& spending) override { m_spending = spending; }
  // Shows an event of docs/archive.md.
  void show(const nlohmann::json& event) override;
  // Shows what an evaluation is doing.
  void progress(const std::string& text) override;
  // Shows a line that stays.
  void note(const std::string& text) override;
  // Returns the line at the bottom while an evaluation does this. Where it has more than `width`
  // bytes, parts that matter less are left out.
  [[nodiscard]] std::string status(const std::string& doing, std::size_t width = 1000) const;

 private:
  void proposal(const nlohmann::json& event);
  void accepted(const nlohmann::json& event);
  void seeds(const nlohmann::json& event);
  void update(const std::string& doing);  // the line at the bottom
  void line(const std::string& text);     // that stays, on stderr
  [[nodiscard]] std::string status_text(const std::string& doing, std::size_t width) const;
  // How much is used of the limit that is nearest, from 0 to 1. A plateau may end a run before it.
  [[nodiscard]] double share() const;
  [[nodiscard]] std::size_t reached(ProposalStage stage) const;

  const EvolutionSettings m_settings;
  std::function<std::string()> m_spending;
  mutable std::mutex m_mutex;
  ProgressLine m_line;
  std::string m_trying;
  std::string m_registered;  // what a winner is compared with beside the first parent; empty: none
  std::string m_best = "no gain yet";
  std::string m_best_step;  // the race that led to it
  double m_best_over_first = 1;
  int m_generation = 0;
  std::map<ProposalStage, std::set<std::int64_t>> m_reached;  // proposals, by stage
  int m_refused = 0;
  int m_accepted = 0;
};

}  // namespace robust_kbench
