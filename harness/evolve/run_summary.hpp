#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "evolve/decision_rate.hpp"
#include "evolve/stop_rule.hpp"
#include "evolve/tuning_report.hpp"
#include "prompt/candidate.hpp"
#include "verify/verifier_audit.hpp"

namespace robust_kbench {

// What a run has found when it ends.
struct RunFindings {
  const std::map<std::int64_t, ProposalRow>& rows;  // by id
  const Spent& spent;
  const std::vector<TimedSetting>& settings;
  const VerifierAudit& audit;
  const std::vector<Candidate>& right_seeds;
  const std::vector<const Candidate*>& lineage;  // the first parent to the winner
  std::int64_t confirmed;                        // id of the last kernel that was; 0: none
  const std::string& plain;                      // name of the seed that is the plain kernel
  const DecisionRate& rate;
};

// What the confirmation and figures call a seed: "plain" or "registered". The fastest of each
// stands for all.
std::string rival_name(const Candidate& seed, const std::string& plain);

// The one of these, fastest first, that `rkb archive adopt` compares a winner with; null: none.
const Candidate* fastest_registered(const std::vector<Candidate>& right_seeds,
                                    const std::string& plain);

// Adds to the run's summary, and names its winner, if any kernel was accepted.
void summarise(RunRow& run, const RunFindings& findings);

}  // namespace robust_kbench
