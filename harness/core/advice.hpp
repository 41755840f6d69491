#pragma once

#include <string>
#include <vector>

#include "core/tool_finding.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Advice on findings, in plain words. Each piece names the findings that it follows from.
struct Advice {
  std::string rule;    // "memory_bound", "spills"..., stable
  std::string kernel;  // demangled; empty: the advice is on the whole call
  // The share of the call's time at stake, 0 to 1. An estimate that orders advice, not a promise.
  double stake = 0;
  std::string text;
  std::vector<ToolFinding> because;

  bool operator==(const Advice&) const = default;
};

void to_json(nlohmann::json& json, const Advice& advice);
void from_json(const nlohmann::json& json, Advice& advice);

}  // namespace robust_kbench
