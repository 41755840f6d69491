#pragma once

#include <string_view>
#include <vector>

#include "core/advice.hpp"

namespace robust_kbench {

// Advice on a CPU kernel of this source, by the findings of cpu_roofline.hpp and vectorizer.hpp.
std::vector<Advice> cpu_advice(const std::vector<ToolFinding>& findings, std::string_view source);

}  // namespace robust_kbench
