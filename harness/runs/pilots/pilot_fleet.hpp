#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/device.hpp"
#include "core/fleet_options.hpp"
#include "runs/pilots/coordinator.hpp"
#include "runs/pilots/shared_folder.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

struct FleetRequest {
  FleetOptions options;
  bool requires_sandbox = false;  // on each pilot, for kernels of models, programs and people
};

// The pilots of a command, for all of its runs. It has the coordinator, the thread in which that
// looks at the folder, and Slurm's jobs where it has started any.
class PilotFleet {
 public:
  using Hear = std::function<void(const nlohmann::json& event)>;

  // Takes the run directory. Throws UserError where it is another's or cannot be used, and
  // Cancelled where `stop` is requested first.
  PilotFleet(const FleetRequest& request, const std::string& sources, const std::stop_token& stop);
  ~PilotFleet();  // ends the pilots
  PilotFleet(const PilotFleet&) = delete;
  PilotFleet& operator=(const PilotFleet&) = delete;

  [[nodiscard]] const FleetRequest& request() const { return m_request; }
  [[nodiscard]] Coordinator& coordinator() { return *m_coordinator; }

  // Submits pilots to Slurm, unless those of an earlier command still wait or run. Returns a line
  // that says what was done, or how a person starts pilots for `device`. The second call does
  // nothing.
  std::string start_pilots(Device device);

  // From now on events go to `hear`, which first hears of the pilots that are there. While nobody
  // listens they are kept. Threads call it one at a time.
  void listen(Hear hear);
  // The last events of a run: who is there. Then nobody listens any more.
  void end_listening();

 private:
  void hear(const nlohmann::json& event);
  void tell_presence();

  const FleetRequest m_request;
  const SharedFolder m_folder;
  std::mutex m_mutex;
  Hear m_hear;
  std::vector<nlohmann::json> m_kept;
  std::optional<std::string> m_slurm_job;
  bool m_started = false;
  std::unique_ptr<Coordinator> m_coordinator;
  std::jthread m_stepping;  // ends before all that it uses
};

// Returns what --dry-run prints of the pilots: Slurm's script, or nothing.
std::string plan_of_pilots(const FleetOptions& options);

}  // namespace robust_kbench
