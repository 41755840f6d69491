#pragma once

#include <string>
#include <vector>

#include "core/advice.hpp"
#include "core/judgement.hpp"
#include "core/tool_finding.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A tool that was run on a kernel, or would have been.
struct ToolRecord {
  std::string tool;
  std::string version;
  std::string missing;  // why it did not run: not installed, or not for such a kernel
  std::string failed;   // how it failed on this one
  double seconds = 0;

  [[nodiscard]] bool ran() const { return missing.empty() && failed.empty(); }
  bool operator==(const ToolRecord&) const = default;
};

// The findings of the tools on one kernel, called on one case.
struct ProfileRecord {
  std::string case_name;  // the case for CUPTI and Nsight Compute; empty if neither ran
  std::vector<ToolRecord> tools;
  std::vector<ToolFinding> findings;
  std::vector<Advice> advice;

  bool operator==(const ProfileRecord&) const = default;
};

// The judgement of a kernel that compiled and did not fail itself. It is `unsafe` where a finding
// is an error, else `harness_error` where a tool failed. Otherwise it is `pass` where a tool ran,
// and `skipped` where none did.
Judgement judgement_of(const ProfileRecord& record);

void to_json(nlohmann::json& json, const ToolRecord& record);
void from_json(const nlohmann::json& json, ToolRecord& record);
void to_json(nlohmann::json& json, const ProfileRecord& record);
void from_json(const nlohmann::json& json, ProfileRecord& record);

}  // namespace robust_kbench
