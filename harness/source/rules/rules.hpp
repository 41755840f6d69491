#pragma once

#include "source/rules/rule.hpp"

namespace robust_kbench {

// Each in the file of its name.
RuleResult interchange(const RuleContext& context);
RuleResult simd_reduction(const RuleContext& context);
RuleResult simd_independent(const RuleContext& context);

}  // namespace robust_kbench
