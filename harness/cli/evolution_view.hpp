#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "archive/rows.hpp"
#include "evolve/settings.hpp"
#include "report/progress_line.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Shows a run of an evolution to a person. The line at the bottom of a terminal says what is being
// tried. Gains and refusals are lines that stay, and the summary comes at the end. Threads may
// share it.
class EvolutionView {
 public:
  explicit EvolutionView(EvolutionSettings settings) : m_settings(std::move(settings)) {}

  // What is left of a cap for language models, to be shown beside the time.
  void spends(std::function<std::string()> left) { m_left = std::move(left); }
  // An event of docs/archive.md.
  void show(const nlohmann::json& event);
  // What an evaluation is doing.
  void progress(const std::string& text);

  // The whole summary of a run that has ended.
  static std::string summary(const RunRow& run);

 private:
  void proposal(const nlohmann::json& event);
  void update(const std::string& text);  // the line at the bottom
  void line(const std::string& text);    // that stays, on stderr
  [[nodiscard]] double elapsed_seconds() const;

  const EvolutionSettings m_settings;
  std::function<std::string()> m_left;
  std::mutex m_mutex;
  ProgressLine m_line;
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  std::string m_trying;
  std::string m_best = "no gain yet";
  int m_generation = 0;
  int m_compiled = 0;
  int m_refused = 0;
  int m_accepted = 0;
};

}  // namespace robust_kbench
