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

// The findings of a run when it ends.
struct RunFindings {
  const std::map<std::int64_t, ProposalRow>& rows;  // by id
  const Spent& spent;
  const std::vector<TimedSetting>& settings;
  const VerifierAudit& audit;
  const std::vector<Candidate>& right_starts;
  const std::vector<const Candidate*>& lineage;  // the first parent to the winner
  std::int64_t confirmed;                        // id of the last kernel that was; 0: none
  const std::string& plain;                      // name of the start that is the plain kernel
  const DecisionRate& rate;
};

// The name of a start in the confirmation and in figures: "plain" or "registered". The fastest
// registered one stands for all.
std::string rival_name(const Candidate& start, const std::string& plain);

// The registered start, among these from the fastest on, with which `rkb archive adopt` compares a
// winner; null: none.
const Candidate* fastest_registered(const std::vector<Candidate>& right_starts,
                                    const std::string& plain);

// Adds to the run's summary, and names its winner, if any kernel was accepted.
void summarise(RunRow& run, const RunFindings& findings);

}  // namespace robust_kbench
