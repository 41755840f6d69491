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
#include "runs/pilots/coordinator.hpp"
#include "runs/pilots/shared_folder.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Which pilots a command uses, as its options say.
struct FleetRequest {
  std::string workers;                     // "slurm", or "own" for pilots that somebody else starts
  std::string run_directory;               // that all machines see
  int pilots = 1;                          // that are started, or expected
  std::vector<std::string> sbatch;         // options of sbatch
  std::vector<std::string> pilot_options;  // of `rkb pilot`, for those that are started
  double lease_seconds = 60;
  bool requires_sandbox = false;  // on each pilot, for kernels of models, programs and people

  [[nodiscard]] bool is_slurm() const { return workers == "slurm"; }
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

}  // namespace robust_kbench
