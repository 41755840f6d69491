#pragma once

#include "transform/rules/rule.hpp"

namespace robust_kbench {

// A rule stands in the file of its name. A result's changes are of one kind, the most promising
// kind first.
std::vector<RuleResult> raw_pointers(const RuleContext& context);
std::vector<RuleResult> unit_step(const RuleContext& context);
std::vector<RuleResult> interchange(const RuleContext& context);
std::vector<RuleResult> simd(const RuleContext& context);
std::vector<RuleResult> unroll_and_jam(const RuleContext& context);
std::vector<RuleResult> parallel_for(const RuleContext& context);
std::vector<RuleResult> math_options(const RuleContext& context);
std::vector<RuleResult> warp_reduction(const RuleContext& context);

// These four rules stand in cuda_hints.cpp.
std::vector<RuleResult> unroll(const RuleContext& context);
std::vector<RuleResult> restrict_pointers(const RuleContext& context);
std::vector<RuleResult> launch_bounds(const RuleContext& context);
std::vector<RuleResult> shared_padding(const RuleContext& context);

}  // namespace robust_kbench
