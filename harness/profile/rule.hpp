#pragma once

#include <optional>
#include <string>
#include <string_view>
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

// A part of what would help, left out where the source does it already.
struct RemedyStep {
  std::string_view text;
  std::optional<Technique> does = {};
};

// " Try a, b or c." of a beginning and of what is left of some steps; empty where nothing is left.
std::string remedy_left(const KernelFacts& kernel, std::string_view beginning,
                        const std::vector<RemedyStep>& steps, std::string_view end = ".",
                        std::string_view conjunction = "or");

// `stake`: a share of the kernel's own time, held to 0..1.
Advice advice(const char* rule, const KernelFacts& kernel, double stake, std::string text,
              std::vector<ToolFinding> because);

}  // namespace robust_kbench
