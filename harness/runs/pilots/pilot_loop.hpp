#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "runs/pilots/pilot_facts.hpp"
#include "runs/pilots/shared_folder.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// What a pilot does with jobs. Threads call work() at the same time.
class PilotWork {
 public:
  virtual ~PilotWork() = default;

  // Throws Cancelled where the coordinator no longer wants it, or the pilot ends.
  virtual nlohmann::json work(const nlohmann::json& job) = 0;
  // Called every few seconds, so that it can learn of the end of what jobs have in common. May
  // throw FolderTrouble.
  virtual void look() {}
  // Called when the pilot ends: work() throws Cancelled soon.
  virtual void end() {}
};

struct PilotLoopOptions {
  double lease_seconds = 60;
  double patience_seconds = 600;  // without a coordinator, and with a folder that cannot be used
  std::function<void(const std::string& text)> on_note = {};  // for the pilot's own log
};

// The end of a pilot.
struct PilotEnd {
  enum class Why {
    ended,   // the coordinator says so, or the stop
    lost,    // the coordinator has given it up; it may join under another name
    failed,  // this machine cannot evaluate, or nobody is heard of
  } why = Why::ended;
  std::string reason;
};

// Claims jobs and answers them, `facts.slots` at a time, until there is a reason to end. A
// requested `stop` gives claimed jobs back. `folder` and `work` outlive this call.
PilotEnd run_pilot(const SharedFolder& folder, const PilotFacts& facts, PilotWork& work,
                   const PilotLoopOptions& options, const std::stop_token& stop);

}  // namespace robust_kbench
