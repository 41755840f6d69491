#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_finding.hpp"
#include "profile/advice.hpp"

namespace robust_kbench {

inline std::vector<std::string> rules_of(const std::vector<ToolFinding>& findings,
                                         std::string_view source = "") {
  std::vector<std::string> rules;
  for (const Advice& advice : advise(findings, source)) rules.push_back(advice.rule);
  return rules;
}

// The value of a finding about a kernel, or about the whole call, or -1 if there is none.
inline double value(const std::vector<ToolFinding>& findings, const std::string& what,
                    const std::string& kernel = "") {
  const auto found =
      std::find_if(findings.begin(), findings.end(), [&](const ToolFinding& finding) {
        return finding.what == what && finding.where.kernel == kernel;
      });
  return found == findings.end() ? -1 : found->value.value_or(-1);
}

}  // namespace robust_kbench
