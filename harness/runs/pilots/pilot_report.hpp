#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace robust_kbench {

// What one pilot did for a run.
struct PilotRow {
  std::string pilot;
  std::string host;
  std::string label;
  std::string model;
  std::string rkb, torch, driver;
  int slots = 1;
  int answered = 0;      // jobs whose answers count
  int failed = 0;        // jobs that it could not answer
  int late = 0;          // answers that another pilot had given before
  int lost = 0;          // claims that others got when it had ended
  double worked_s = 0;   // on what it answered, all slots together
  double present_s = 0;  // during the run
  std::string end;       // what became of it

  // The share of its time in which it did nothing that counts, from 0 to 1.
  [[nodiscard]] double idle() const;

  friend bool operator==(const PilotRow&, const PilotRow&) = default;
};

// What pilots did for a run, in the order in which they joined. `events` are those of the run in
// their order (docs/archive.md). A run that went on has those of all its coordinators.
std::vector<PilotRow> pilot_rows(const std::vector<nlohmann::json>& events);

// The member `pilots` of a run's summary.
nlohmann::json pilots_json(const std::vector<PilotRow>& rows);

}  // namespace robust_kbench
