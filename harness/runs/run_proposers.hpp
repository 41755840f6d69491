#pragma once

#include <memory>
#include <vector>

#include "evolve/evolution_plan.hpp"
#include "propose/proposer.hpp"
#include "runs/run.hpp"

namespace robust_kbench {

// Returns the proposers that the settings name, after the one that takes what is submitted to the
// run. The run and its plan outlive them.
std::vector<std::unique_ptr<Proposer>> proposers_of(Run& run, const EvolutionPlan& plan);

// Returns how verifiers vote in a run that has models. The run outlives the plan.
VotePlan vote_plan_of(Run& run, const EvolutionPlan& plan);

}  // namespace robust_kbench
