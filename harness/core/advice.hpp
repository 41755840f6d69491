#pragma once

#include <string>
#include <vector>

#include "core/tool_finding.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// What to do about findings, in plain words. There is none without the findings that it follows
// from.
struct Advice {
  std::string rule;    // "memory_bound", "spills"..., stable
  std::string kernel;  // demangled; empty: the call as a whole
  // What share of the call's time it is about, 0 to 1. An estimate that orders advice, no promise.
  double stake = 0;
  std::string text;
  std::vector<ToolFinding> because;

  bool operator==(const Advice&) const = default;
};

void to_json(nlohmann::json& json, const Advice& advice);
void from_json(const nlohmann::json& json, Advice& advice);

}  // namespace robust_kbench
