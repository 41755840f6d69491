#pragma once

#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/verdict.hpp"
#include "profile/advice.hpp"
#include "profile/tool_finding.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

inline constexpr int profile_schema_version = 1;

// A tool that was asked about a kernel.
struct ToolRecord {
  std::string tool;
  std::string version;
  std::string missing;  // why it said nothing: not here, or not for such a kernel
  std::string failed;   // how it failed on this one
  double seconds = 0;

  [[nodiscard]] bool ran() const { return missing.empty() && failed.empty(); }
  bool operator==(const ToolRecord&) const = default;
};

// What the tools say of one kernel, called on one case. Versioned JSON, as KernelRecord's.
struct ProfileRecord {
  std::string path;  // of the kernel's first source
  std::string name;
  Entry entry;
  std::string device = "cpu";
  std::string case_name;  // that CUPTI and Nsight Compute looked at; empty where neither did
  // pass: tools ran and no sanitizer found an error; `unsafe` where one did; compile_error; how the
  // kernel failed under a tool; harness_error where a tool failed; skipped where none ran.
  Verdict verdict = Verdict::skipped;
  std::string reason;
  std::vector<ToolRecord> tools;
  std::vector<ToolFinding> findings;
  std::vector<Advice> advice;
};

// The verdict of a kernel that compiled and did not fail itself, from its tools and findings.
void judge(ProfileRecord& record);

void to_json(nlohmann::json& json, const ToolRecord& record);
void from_json(const nlohmann::json& json, ToolRecord& record);
void to_json(nlohmann::json& json, const ProfileRecord& record);
void from_json(const nlohmann::json& json, ProfileRecord& record);

// {"schema_version": 1, "profiles": [...]}.
nlohmann::json profile_file(const std::vector<ProfileRecord>& records);

}  // namespace robust_kbench
