#pragma once

#include <optional>

#include "core/advice.hpp"
#include "profile/kernel_facts.hpp"

namespace robust_kbench {

// Advice if global memory accesses move more bytes than the kernel uses.
std::optional<Advice> uncoalesced_advice(const KernelFacts& kernel);
std::optional<Advice> bank_conflict_advice(const KernelFacts& kernel);
// Advice if registers spill, or if arrays are indexed by a variable.
std::optional<Advice> local_memory_advice(const KernelFacts& kernel);

}  // namespace robust_kbench
