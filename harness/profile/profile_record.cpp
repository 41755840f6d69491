#include "profile/profile_record.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace robust_kbench {

void judge(ProfileRecord& record) {
  const auto error =
      std::find_if(record.findings.begin(), record.findings.end(),
                   [](const ToolFinding& finding) { return finding.severity == Severity::error; });
  const auto failed = std::find_if(record.tools.begin(), record.tools.end(),
                                   [](const ToolRecord& tool) { return !tool.failed.empty(); });
  const bool ran = std::any_of(record.tools.begin(), record.tools.end(),
                               [](const ToolRecord& tool) { return tool.ran(); });
  if (error != record.findings.end()) {
    record.verdict = Verdict::unsafe;
    record.reason = error->tool + " found " + error->what + ": " + error->meaning;
  } else if (failed != record.tools.end()) {
    record.verdict = Verdict::harness_error;
    record.reason = failed->tool + ": " + failed->failed;
  } else {
    record.verdict = ran ? Verdict::pass : Verdict::skipped;
    record.reason = ran ? "" : "no tool for it ran here";
  }
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
  json = {{"path", record.path},
          {"name", record.name},
          {"task", record.entry.task},
          {"direction", to_string(record.entry.direction)},
          {"device", record.device},
          {"case", record.case_name},
          {"verdict", to_string(record.verdict)},
          {"reason", record.reason},
          {"tools", record.tools},
          {"findings", record.findings},
          {"advice", record.advice}};
}

void from_json(const nlohmann::json& json, ProfileRecord& record) {
  json.at("path").get_to(record.path);
  json.at("name").get_to(record.name);
  json.at("task").get_to(record.entry.task);
  record.entry.direction = parse_direction(json.at("direction").get<std::string>());
  json.at("device").get_to(record.device);
  json.at("case").get_to(record.case_name);
  record.verdict = parse_verdict(json.at("verdict").get<std::string>());
  json.at("reason").get_to(record.reason);
  json.at("tools").get_to(record.tools);
  json.at("findings").get_to(record.findings);
  json.at("advice").get_to(record.advice);
}

nlohmann::json profile_file(const std::vector<ProfileRecord>& records) {
  return {{"schema_version", profile_schema_version}, {"profiles", records}};
}

}  // namespace robust_kbench
