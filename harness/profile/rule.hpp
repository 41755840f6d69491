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

// From this percentage on, Nsight Compute calls a unit busy. Below it, neither memory nor
// arithmetic is the limit.
inline constexpr double busy_percent = 60;

// The utilisation of SMs or memory, whichever is higher, in percent of the peak.
double busiest(const KernelFacts& kernel);

// A part of a remedy. It is left out if the source uses the technique `does` already.
struct RemedyStep {
  std::string_view text;
  std::optional<Technique> does = {};
};

// A remedy such as " Try a, b or c." from a beginning and the steps that are not left out. Empty if
// none is left.
std::string remedy_left(const KernelFacts& kernel, std::string_view beginning,
                        const std::vector<RemedyStep>& steps, std::string_view end = ".",
                        std::string_view conjunction = "or");

// `stake` is a share of the kernel's own time, clamped to 0..1.
Advice advice(const char* rule, const KernelFacts& kernel, double stake, std::string text,
              std::vector<ToolFinding> because);

}  // namespace robust_kbench
