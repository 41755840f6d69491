#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runs/pilots/job_name.hpp"
#include "runs/pilots/pilot_facts.hpp"
#include "runs/pilots/shared_folder.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// A pilot that has a lease.
struct WatchedPilot {
  PilotFacts facts;
  LeaseName lease;
  double joined_at = 0;   // this and the next are times by the coordinator's clock, in seconds
  double renewed_at = 0;  // when the coordinator saw the last renewal
};

// Knows which pilots of a run directory live, by their renewals alone. No clock of another machine
// is read. Functions throw FolderTrouble.
class PilotWatch {
 public:
  // `folder` outlives this object.
  PilotWatch(const SharedFolder& folder, double lease_seconds)
      : m_folder(folder), m_lease_seconds(lease_seconds) {}

  // Looks at all leases. Returns an event for each pilot that has joined, left, or was not heard of
  // for the time of a lease (docs/archive.md). A lease that is over is taken from its pilot.
  std::vector<nlohmann::json> look(double now);
  // Returns an event for each pilot that has joined only to say why it may not take part.
  std::vector<nlohmann::json> refused();
  // Removes what pilots of earlier runs have said, where they have ended. Other files may be those
  // of a pilot that is joining.
  void forget_ended();
  // Gives all pilots the time of a whole lease again, after the folder was out of sight.
  void excuse(double now);

  [[nodiscard]] const std::map<std::string, WatchedPilot>& living() const { return m_living; }
  [[nodiscard]] bool lives(const std::string& pilot) const { return m_living.contains(pilot); }

 private:
  std::optional<nlohmann::json> join(const LeaseName& lease, double now);
  std::optional<nlohmann::json> end(const WatchedPilot& pilot, bool has_left, double now) const;

  const SharedFolder& m_folder;
  const double m_lease_seconds;
  std::map<std::string, WatchedPilot> m_living;  // by name
  std::set<std::string> m_refused;               // files that are known
};

}  // namespace robust_kbench
