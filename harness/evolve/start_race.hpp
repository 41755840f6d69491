#pragma once

#include <map>
#include <string>
#include <vector>

#include "evolve/evolution_plan.hpp"
#include "evolve/gate.hpp"
#include "evolve/run_log.hpp"
#include "evolve/stop_rule.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The starts of a run after their race.
struct RacedStarts {
  std::vector<Candidate> right;  // fastest first; costs are in units of the first parent's
  Candidate first_parent;        // one of these, with its timings
  std::map<std::string, double> empty_us;  // see stop_rule.hpp
  StartSeconds seconds;
  // `seed_times_us`, `seeds` (costs by name), `empty_us` and `eager_cost`, for the run's summary.
  nlohmann::json figures = nlohmann::json::object();
};

// Tests all starts of the plan, as many at a time as it says. Then the right ones race. The fastest
// becomes the first parent, or the one that is named. Throws UserError where none is right, or the
// named one is not.
RacedStarts race_starts(const EvolutionPlan& plan, const RunRow& run, Archive& archive, Gate& gate,
                        RunLog& log);

}  // namespace robust_kbench
