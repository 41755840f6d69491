#pragma once

#include "evolve/settings.hpp"

namespace robust_kbench {

// The settings that a run begins with if it asks language models: more time, and an end by
// generations.
EvolutionSettings settings_with_models();

// The hyperparameters of the robust-kbench paper (docs/paper.md), but for the names of its models.
EvolutionSettings paper_settings();

}  // namespace robust_kbench
