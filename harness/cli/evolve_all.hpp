#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "cli/evolution_run.hpp"
#include "cli/model_use.hpp"
#include "evaluate/suite.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// Evolves every entry of the suite that has a kernel for the device, one after another, and prints
// one table, then what language models cost. An entry whose run of equal settings has ended is not
// repeated, and one that was interrupted goes on. `device` and `gpus` are as in EvolvedEntry.
// Returns an exit code.
int evolve_all(const Suite& suite, Archive& archive, ModelUse& models,
               const EvolutionSettings& settings, const std::string& device,
               const std::vector<int>& gpus, const std::stop_token& stop);

// Prints the plan of a run of these settings, and what it asks models at most. Returns that.
LikelySpending print_plan(EvolutionRun& run, ModelUse& models, const EvolutionSettings& settings);

// Prints the plan of each of these entries, and what models are asked for all of them at most.
// Starts no run. Returns an exit code.
int plan_all(const Suite& suite, ModelUse& models, const EvolutionSettings& settings,
             const std::string& device, const std::vector<int>& gpus);

}  // namespace robust_kbench
