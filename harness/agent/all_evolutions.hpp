#pragma once

#include "core/output_file.hpp"
#include "evaluate/suite.hpp"
#include "evolve/settings.hpp"
#include "runs/evolution_run.hpp"
#include "runs/likely_spending.hpp"
#include "runs/model_use.hpp"
#include "runs/run.hpp"

namespace robust_kbench {

// Evolves every entry of the suite that has a kernel for the device, one after another, and prints
// one table, then what language models cost. `json` gets a list of what `rkb archive show` writes
// of each run. `machines` names no task, and what evaluates. Returns an exit code.
int evolve_all_entries(const RunContext& context, const EvolutionSettings& settings,
                       const EvolvedEntry& machines, const OutputFile& json);

// Prints the plan of a run, and what its models are likely to cost. Returns that.
LikelySpending print_plan(const EvolutionRun& run, ModelUse& models);

// Prints the plan of each of these entries, and what models are likely to cost for all of them.
// Starts no run. Returns an exit code.
int plan_all_entries(const Suite& suite, ModelUse& models, const EvolutionSettings& settings,
                     const EvolvedEntry& machines);

}  // namespace robust_kbench
