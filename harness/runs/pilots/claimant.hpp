#pragma once

#include <optional>
#include <string>

#include "runs/pilots/job_name.hpp"
#include "runs/pilots/pilot_facts.hpp"
#include "runs/pilots/shared_folder.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// A job that this pilot has claimed.
struct Claim {
  JobName name;  // `whose` is the pilot
  nlohmann::json job;
};

// A pilot's half of the run directory: its lease, claims and answers. It does what it is told once;
// pilot_loop.hpp decides when. All functions throw FolderTrouble. Threads may not share it.
class Claimant {
 public:
  // `folder` outlives this object.
  Claimant(const SharedFolder& folder, PilotFacts facts);

  [[nodiscard]] const PilotFacts& facts() const { return m_facts; }

  // Tells the coordinator of this pilot, and takes a lease unless facts().refused.
  void join();
  // False: the coordinator has given this pilot up, as it was not heard of for too long. What it
  // has claimed is others' then.
  [[nodiscard]] bool renew();
  // Claims a job, one meant for this pilot first. `only_own`: no other.
  std::optional<Claim> claim(bool only_own);
  // Hands an answer in, whether or not the claim still holds.
  void answer(const Claim& claim, const nlohmann::json& answer);
  // Lets others claim the job at once.
  void give_back(const Claim& claim);
  // Says why the pilot ends, and gives its lease back.
  void leave(const std::string& reason);

 private:
  [[nodiscard]] bool is_for_me(const JobName& job) const;

  const SharedFolder& m_folder;
  const PilotFacts m_facts;
  const std::string m_for_model;
  LeaseName m_lease;
};

}  // namespace robust_kbench
