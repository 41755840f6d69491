#pragma once

#include <optional>

#include "core/advice.hpp"
#include "profile/kernel_facts.hpp"

namespace robust_kbench {

// Says whether the kernel is bound by latency, by memory or by arithmetic, and what to do about it.
std::optional<Advice> roofline_advice(const KernelFacts& kernel);

}  // namespace robust_kbench
