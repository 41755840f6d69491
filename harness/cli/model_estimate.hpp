#pragma once

#include <cstddef>
#include <string>

#include "cli/model_use.hpp"
#include "evolve/settings.hpp"

namespace robust_kbench {

// What a run of these settings asks at most: calls, tokens, dollars and minutes, for a person. All
// proposals count as those of the dearest model, with the whole output limit. `prompt_bytes` is the
// length of the first prompt, and `kernel_bytes` that of the longest kernel that others show.
std::string model_estimate(ModelUse& use, const EvolutionSettings& settings,
                           std::size_t prompt_bytes, std::size_t kernel_bytes);

}  // namespace robust_kbench
