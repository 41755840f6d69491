#pragma once

#include <vector>

#include "core/advice.hpp"

namespace robust_kbench {

// Advice on a CPU kernel, by the findings of cpu_roofline.hpp and vectorizer.hpp.
std::vector<Advice> cpu_advice(const std::vector<ToolFinding>& findings);

}  // namespace robust_kbench
