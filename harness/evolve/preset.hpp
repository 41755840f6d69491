#pragma once

#include "evolve/settings.hpp"

namespace robust_kbench {

// What a run that asks language models begins with: more time, and an end by generations.
EvolutionSettings settings_with_models();

// The hyperparameters of the robust-kbench paper (docs/paper.md), but for the names of its models.
EvolutionSettings paper_settings();

}  // namespace robust_kbench
