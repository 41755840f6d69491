#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "evolve/settings.hpp"
#include "evolve/vote_plan.hpp"
#include "prompt/candidate.hpp"

namespace robust_kbench {

// Seconds since any moment, by a clock that is never set.
double steady_seconds();

// The entry, the settings and the starts of a run.
struct EvolutionPlan {
  Entry entry;
  Device device = Device::cpu;
  EvolutionSettings settings;
  // The starts, right or not: they are tested first. Their ids are 1, 2, ... in this order.
  std::vector<Candidate> starts;
  std::string first_parent;                 // name of a start; empty: the fastest right one
  std::vector<std::string> refused_before;  // token hashes of what is not tried again
  std::string plain;            // name of the start that is the task's plain kernel; empty: none
  int side_by_side = 1;         // proposals that are made at a time
  int evaluated_at_a_time = 1;  // of these
  VotePlan votes = {};
  std::function<double()> clock = steady_seconds;  // threads may read it at the same time
  // Requested to stop when no time is left for candidates. Then proposers and evaluations throw
  // Cancelled.
  std::stop_source search = {};
  // Requested to stop when a candidate that has won a race needs all the time that is left. Then
  // first races of others, and the evaluations before them, throw Cancelled.
  std::stop_source first_races = {};
};

}  // namespace robust_kbench
