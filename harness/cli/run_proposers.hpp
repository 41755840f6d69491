#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "archive/journal.hpp"
#include "cli/model_run.hpp"
#include "evaluate/suite.hpp"
#include "evolve/evolution_plan.hpp"
#include "propose/proposer.hpp"

namespace robust_kbench {

// A run that needs proposers and verifiers. What it refers to outlives them.
struct ProposedRun {
  const Suite& suite;
  const EvolutionPlan& plan;
  std::filesystem::path directory;  // its own, in the archive
  Journal& journal;
  ModelRun* models = nullptr;  // none is asked
  std::stop_token stop;
};

// The configs on which kernels of an evolution race.
std::vector<Config> raced_configs(const Suite& suite, const EvolutionPlan& plan);

// Those that the settings name, after the one that takes what is submitted to the run.
std::vector<std::unique_ptr<Proposer>> proposers_of(const ProposedRun& run);

// How verifiers vote. The run has models.
VotePlan vote_plan_of(const ProposedRun& run);

}  // namespace robust_kbench
