#include "core/profile_record.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace robust_kbench {

Judgement judgement_of(const ProfileRecord& record) {
  const auto error =
      std::find_if(record.findings.begin(), record.findings.end(),
                   [](const ToolFinding& finding) { return finding.severity == Severity::error; });
  if (error != record.findings.end()) {
    return {.verdict = Verdict::unsafe,
            .reason = error->tool + " found " + error->what + ": " + error->meaning};
  }
  const auto failed = std::find_if(record.tools.begin(), record.tools.end(),
                                   [](const ToolRecord& tool) { return !tool.failed.empty(); });
  if (failed != record.tools.end()) {
    return {.verdict = Verdict::harness_error, .reason = failed->tool + ": " + failed->failed};
  }
  const bool ran = std::any_of(record.tools.begin(), record.tools.end(),
                               [](const ToolRecord& tool) { return tool.ran(); });
  if (ran) return passed();
  return {.verdict = Verdict::skipped, .reason = "no tool for it ran here"};
}

void to_json(nlohmann::json& json, const ToolRecord& record) {
  json = {{"tool", record.tool},
          {"version", record.version},
          {"missing", record.missing},
          {"failed", record.failed},
          {"seconds", record.seconds}};
}

void from_json(const nlohmann::json& json, ToolRecord& record) {
  json.at("tool").get_to(record.tool);
  json.at("version").get_to(record.version);
  json.at("missing").get_to(record.missing);
  json.at("failed").get_to(record.failed);
  json.at("seconds").get_to(record.seconds);
}

void to_json(nlohmann::json& json, const ProfileRecord& record) {
  json = {{"case", record.case_name},
          {"tools", record.tools},
          {"findings", record.findings},
          {"advice", record.advice}};
}

void from_json(const nlohmann::json& json, ProfileRecord& record) {
  json.at("case").get_to(record.case_name);
  json.at("tools").get_to(record.tools);
  json.at("findings").get_to(record.findings);
  json.at("advice").get_to(record.advice);
}

}  // namespace robust_kbench
