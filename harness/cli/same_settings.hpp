#pragma once

#include <string>

#include "evolve/settings.hpp"

namespace robust_kbench {

// A run that goes on, or is replayed, keeps its settings. `wanted` are the same with what options
// say. Throws UserError where they differ. Both have the models that are in use today. What `auto`
// and empty models came to mean may differ, as may models of a run that asks none.
void require_same_settings(const std::string& run, const EvolutionSettings& own,
                           const EvolutionSettings& wanted);

}  // namespace robust_kbench
