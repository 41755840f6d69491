#pragma once

#include <vector>

#include "core/advice.hpp"
#include "profile/kernel_facts.hpp"

namespace robust_kbench {

// Advice on a call as a whole: the shares of launches and of copies. `kernels` are those that are
// launched, `findings` all findings. Gaps of a trace take precedence over the usual cost of
// launches.
std::vector<Advice> call_advice(const std::vector<KernelFacts>& kernels,
                                const std::vector<ToolFinding>& findings);

}  // namespace robust_kbench
