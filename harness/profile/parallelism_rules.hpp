#pragma once

#include <optional>

#include "core/advice.hpp"
#include "profile/kernel_facts.hpp"

namespace robust_kbench {

// Too few warps on an SM.
std::optional<Advice> occupancy_advice(const KernelFacts& kernel);
// Too few blocks, or a last wave of too few.
std::optional<Advice> grid_advice(const KernelFacts& kernel);
// Too few threads of a warp.
std::optional<Advice> divergence_advice(const KernelFacts& kernel);

}  // namespace robust_kbench
