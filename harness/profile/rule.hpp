#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/advice.hpp"
#include "profile/kernel_facts.hpp"

// The building blocks of the rules of advise().
namespace robust_kbench {

using Rule = std::optional<Advice> (*)(const KernelFacts& kernel);

// Nsight Compute calls a unit busy from here on; below, neither memory nor arithmetic is the limit.
inline constexpr double busy_percent = 60;

// How busy SMs or memory are, whichever is busier; percent of its peak.
double busiest(const KernelFacts& kernel);

// `stake`: a share of the kernel's own time, held to 0..1.
Advice advice(const char* rule, const KernelFacts& kernel, double stake, std::string text,
              std::vector<ToolFinding> because);

}  // namespace robust_kbench
