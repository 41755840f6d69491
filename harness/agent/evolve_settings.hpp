#pragma once

#include <optional>

#include "agent/evolve_options.hpp"
#include "archive/rows.hpp"
#include "evolve/settings.hpp"
#include "runs/model_use.hpp"

namespace robust_kbench {

// Returns the settings of the run that `known` is, which goes on or is replayed, else of a new one.
// Options may only repeat those of a known run.
EvolutionSettings settings_of(const EvolveCommandOptions& options, ModelUse& models,
                              const std::optional<RunRow>& known, bool tune_only);

// Takes keys from the programs of the proposer `command`. Such a program gets the key of a provider
// only where the person says so. A settings file may come from others, as may the command line
// below a build tool. A run that asks no model keeps no other key. Throws UserError where settings
// alone name a key.
void hand_keys_over(const EvolutionSettings& settings, const EvolveCommandOptions& options,
                    const ModelUse& models);

}  // namespace robust_kbench
