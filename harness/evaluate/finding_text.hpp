#pragma once

#include <string>
#include <vector>

#include "core/tool_finding.hpp"

namespace robust_kbench {

// What a person is told of a tool's findings: what each of the first ten is, with kernel, line,
// thread and address.
std::string describe(const std::vector<ToolFinding>& findings);

}  // namespace robust_kbench
