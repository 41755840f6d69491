#include "core/tool_finding.hpp"

#include <cmath>

#include "core/enum_names.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr EnumNames<Severity, 3> severities{
    "severity",
    {{{Severity::info, "info"}, {Severity::warning, "warning"}, {Severity::error, "error"}}}};

}  // namespace

std::string_view to_string(Severity severity) {
  return severities.name_of(severity);
}

void to_json(nlohmann::json& json, const ToolFinding& finding) {
  const bool finite = finding.value && std::isfinite(*finding.value);
  json = {{"tool", finding.tool},
          {"what", finding.what},
          {"value", finite ? nlohmann::json(*finding.value) : nlohmann::json(nullptr)},
          {"unit", finding.unit},
          {"severity", to_string(finding.severity)},
          {"meaning", finding.meaning},
          {"kernel", finding.where.kernel},
          {"file", finding.where.file},
          {"line", finding.where.line},
          {"address", finding.where.address},
          {"thread", finding.where.thread},
          {"block", finding.where.block}};
}

void from_json(const nlohmann::json& json, ToolFinding& finding) {
  json.at("tool").get_to(finding.tool);
  json.at("what").get_to(finding.what);
  finding.value.reset();
  if (!json.at("value").is_null()) finding.value = json.at("value").get<double>();
  json.at("unit").get_to(finding.unit);
  finding.severity = severities.parse(json.at("severity").get<std::string>());
  json.at("meaning").get_to(finding.meaning);
  json.at("kernel").get_to(finding.where.kernel);
  json.at("file").get_to(finding.where.file);
  json.at("line").get_to(finding.where.line);
  json.at("address").get_to(finding.where.address);
  json.at("thread").get_to(finding.where.thread);
  json.at("block").get_to(finding.where.block);
}

}  // namespace robust_kbench
