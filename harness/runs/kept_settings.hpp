#pragma once

#include <functional>
#include <string>

#include "archive/rows.hpp"
#include "evolve/settings.hpp"
#include "runs/model_choices.hpp"

namespace robust_kbench {

// A run that goes on, or is replayed, keeps its settings. `wanted` are the same with what options
// say. Throws UserError where they differ. Both have the models that are in use today. What `auto`
// and empty models came to mean may differ, as may models of a run that asks none.
void require_same_settings(const std::string& run, const EvolutionSettings& own,
                           const EvolutionSettings& wanted);

// Returns the settings of such a run. Options, which `apply_options` writes into settings, may only
// repeat them. Throws UserError otherwise.
EvolutionSettings kept_settings(const RunRow& run, const ModelChoices& models,
                                const std::function<void(EvolutionSettings&)>& apply_options);

}  // namespace robust_kbench
