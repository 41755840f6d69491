#pragma once

#include <optional>

#include "core/advice.hpp"
#include "profile/kernel_facts.hpp"

namespace robust_kbench {

// Global memory accesses that move more than the kernel uses.
std::optional<Advice> uncoalesced_advice(const KernelFacts& kernel);
std::optional<Advice> bank_conflict_advice(const KernelFacts& kernel);
// Spilled registers, or arrays that are indexed by a variable.
std::optional<Advice> local_memory_advice(const KernelFacts& kernel);

}  // namespace robust_kbench
