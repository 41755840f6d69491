#pragma once

#include <string>
#include <vector>

#include "core/tool_finding.hpp"

namespace robust_kbench {

// A text of the first ten findings of a tool, with kernel, line, thread and address.
std::string describe(const std::vector<ToolFinding>& findings);

}  // namespace robust_kbench
