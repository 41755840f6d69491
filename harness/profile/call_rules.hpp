#pragma once

#include <vector>

#include "core/advice.hpp"
#include "profile/kernel_facts.hpp"

namespace robust_kbench {

// On a call as a whole: how much of it goes into launches and into copies. `kernels`: those that
// are launched; `findings`: all, of which a trace's gaps count before what launches usually cost.
std::vector<Advice> call_advice(const std::vector<KernelFacts>& kernels,
                                const std::vector<ToolFinding>& findings);

}  // namespace robust_kbench
