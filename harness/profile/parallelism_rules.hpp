#pragma once

#include <optional>

#include "core/advice.hpp"
#include "profile/kernel_facts.hpp"

namespace robust_kbench {

// Advice if an SM has too few warps.
std::optional<Advice> occupancy_advice(const KernelFacts& kernel);
// Advice if there are too few blocks, or too few in the last wave.
std::optional<Advice> grid_advice(const KernelFacts& kernel);
// Advice if too few threads of a warp take part.
std::optional<Advice> divergence_advice(const KernelFacts& kernel);

}  // namespace robust_kbench
