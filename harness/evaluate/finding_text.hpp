#pragma once

#include <string>
#include <vector>

#include "core/tool_finding.hpp"

namespace robust_kbench {

// What a person is told of a tool's findings, of the first ten one by one: what it is, the kernel,
// the line, the thread and the address.
std::string describe(const std::vector<ToolFinding>& findings);

}  // namespace robust_kbench
