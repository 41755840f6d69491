#pragma once

#include <optional>
#include <vector>

#include "profile/advice.hpp"
#include "profile/kernel_facts.hpp"

// The rules of advise(), one function each. A stake is a share of the kernel's own time.
namespace robust_kbench {

using Rule = std::optional<Advice> (*)(const KernelFacts& kernel);

std::optional<Advice> roofline_advice(const KernelFacts& kernel);
std::optional<Advice> occupancy_advice(const KernelFacts& kernel);
std::optional<Advice> uncoalesced_advice(const KernelFacts& kernel);
std::optional<Advice> bank_conflict_advice(const KernelFacts& kernel);
std::optional<Advice> local_memory_advice(const KernelFacts& kernel);
std::optional<Advice> grid_advice(const KernelFacts& kernel);
std::optional<Advice> divergence_advice(const KernelFacts& kernel);

// Of all kernels of the call.
std::optional<Advice> launch_advice(const std::vector<KernelFacts>& kernels);

}  // namespace robust_kbench
