#pragma once

#include "archive/rows.hpp"
#include "runs/pilots/pilot_fleet.hpp"
#include "runs/run.hpp"

namespace robust_kbench {

// While it lives, the events of pilots are events of a run. The archive keeps them, and the run's
// listener sees what a person should know of.
class HeardPilots {
 public:
  // Both outlive this object.
  HeardPilots(Run& run, PilotFleet& fleet);
  ~HeardPilots() { m_fleet.end_listening(); }
  HeardPilots(const HeardPilots&) = delete;
  HeardPilots& operator=(const HeardPilots&) = delete;

 private:
  void hear(const nlohmann::json& event);

  Run& m_run;
  PilotFleet& m_fleet;
};

// Adds to the summary of a run what its pilots did, and returns the run's row.
RunRow with_pilots(Run& run, RunRow row);

}  // namespace robust_kbench
