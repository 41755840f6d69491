#pragma once

#include <functional>
#include <optional>
#include <string>

#include "archive/archive.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// A run of another archive whose effects answer in place of new ones.
struct RecordedRun {
  const Archive& archive;
  std::string run;
};

// The effects of a run: evaluations, answers of models and programs, readings of the clock. Each
// happens once and is recorded before the run goes on. Everything else in a run is a pure function
// of these and the settings. So a run that was killed starts from the beginning, and reads its
// recorded effects.
class Journal {
 public:
  // The archive outlives this object. With `recorded` no effect happens.
  Journal(Archive& archive, std::string run, std::optional<RecordedRun> recorded = {});

  // The effect's value from this run's journal, else from the recorded run, else by calling it.
  // Throws UserError where the recorded run has no effect of this key. Threads may call it at the
  // same time, with different keys.
  nlohmann::json once(const std::string& key, const std::function<nlohmann::json()>& effect);

  // The effect's value where it has happened, in this run or the recorded one.
  [[nodiscard]] std::optional<nlohmann::json> find(const std::string& key) const;
  // Whether once() takes the effect's value from a journal.
  [[nodiscard]] bool knows(const std::string& key) const;
  [[nodiscard]] bool replays() const { return m_recorded.has_value(); }
  [[nodiscard]] const std::optional<RecordedRun>& recorded() const { return m_recorded; }

  [[nodiscard]] Archive& archive() const { return m_archive; }
  [[nodiscard]] const std::string& run() const { return m_run; }

 private:
  Archive& m_archive;
  const std::string m_run;
  const std::optional<RecordedRun> m_recorded;
};

}  // namespace robust_kbench
