#include "evolve/vote_plan.hpp"

namespace robust_kbench {

bool asks_verifiers(const EvolutionSettings& settings) {
  return settings.votes == "on" || settings.votes == "audit";
}

VotePlan::Gate vote_gate(const EvolutionSettings& settings) {
  if (settings.votes != "on") return VotePlan::Gate::off;
  if (settings.gate == "rank") return VotePlan::Gate::rank;
  return settings.gate == "majority" ? VotePlan::Gate::majority : VotePlan::Gate::off;
}

}  // namespace robust_kbench
