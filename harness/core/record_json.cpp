#include "core/coverage.hpp"
#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/record.hpp"
#include "core/record_upgrade.hpp"

namespace robust_kbench {

using nlohmann::json;

namespace {

// The values of "judged".
constexpr const char* by_replay = "replay";
constexpr const char* in_process = "in_process";

// A member that records of earlier releases lack.
std::optional<double> number_if_any(const json& object, const char* name) {
  return object.contains(name) ? optional_of<double>(object.at(name)) : std::nullopt;
}

}  // namespace

void to_json(json& json, const BuildRecord& record) {
  json = {{"schema_version", record_schema_version},
          {"headers", to_string(record.headers)},
          {"flags", record.flags},
          {"compiler", record.compiler},
          {"library", record.library},
          {"uses", record.uses},
          {"compile_seconds", record.compile_seconds},
          {"cached", record.cached}};
  put_judgement(json, record.judgement);
}

void from_json(const json& json, BuildRecord& record) {
  record.judgement = get_judgement(json);
  record.headers = parse_kernel_headers(json.at("headers").get<std::string>());
  json.at("flags").get_to(record.flags);
  json.at("compiler").get_to(record.compiler);
  json.at("library").get_to(record.library);
  record.uses = json.value("uses", std::vector<CapabilityUse>());
  json.at("compile_seconds").get_to(record.compile_seconds);
  json.at("cached").get_to(record.cached);
}

void to_json(json& json, const CaseRecord& record) {
  nlohmann::json errors = nlohmann::json::array();
  for (const OutputError& e : record.errors) {
    errors.push_back({{"output", e.name},
                      {"max_abs", number(e.max_abs)},
                      {"max_rel", number(e.max_rel)},
                      {"eager_max_abs", number(e.eager_max_abs)},
                      {"rms", number(e.rms)},
                      {"max_abs_limit", value_or_null(e.max_abs_limit)},
                      {"rms_limit", value_or_null(e.rms_limit)},
                      {"kernelbench_close", value_or_null(e.kernelbench_close)}});
  }
  json = {{"name", record.name},
          {"asks", record.asks},
          {"refused", record.refused},
          {"errors", std::move(errors)},
          {"calls", record.calls},
          {"needs_alignment", value_or_null(record.needs_alignment)},
          {"bitwise_repeatable", record.bitwise_repeatable},
          {"kernel_seconds", record.kernel_seconds},
          {"reference_seconds", record.reference_seconds},
          {"total_seconds", record.total_seconds}};
  put_judgement(json, record.judgement);
  put_evidence(json, record.judgement);
}

void from_json(const json& json, CaseRecord& record) {
  json.at("name").get_to(record.name);
  record.judgement = get_judgement(json);
  get_evidence(json, record.judgement);
  record.errors.clear();
  for (const nlohmann::json& error : json.at("errors")) {
    record.errors.push_back({.name = error.at("output").get<std::string>(),
                             .max_abs = number_of(error.at("max_abs")),
                             .max_rel = number_of(error.at("max_rel")),
                             .eager_max_abs = number_of(error.at("eager_max_abs")),
                             .rms = error.contains("rms") ? number_of(error.at("rms")) : 0.0,
                             .max_abs_limit = number_if_any(error, "max_abs_limit"),
                             .rms_limit = number_if_any(error, "rms_limit"),
                             .kernelbench_close = optional_of<bool>(
                                 error.value("kernelbench_close", nlohmann::json()))});
  }
  record.asks = json.value("asks", std::string());
  record.refused = json.value("refused", false);
  record.needs_alignment = optional_of<int>(json.value("needs_alignment", nlohmann::json()));
  json.at("calls").get_to(record.calls);
  json.at("bitwise_repeatable").get_to(record.bitwise_repeatable);
  json.at("kernel_seconds").get_to(record.kernel_seconds);
  json.at("reference_seconds").get_to(record.reference_seconds);
  json.at("total_seconds").get_to(record.total_seconds);
}

void to_json(json& json, const RivalRecord& record) {
  json = {{"name", record.name}, {"path", record.path}};
  put_judgement(json, record.judgement);
}

void from_json(const json& json, RivalRecord& record) {
  json.at("name").get_to(record.name);
  json.at("path").get_to(record.path);
  record.judgement = get_judgement(json);
}

void to_json(json& json, const KernelRecord& record) {
  json = {{"path", record.path},
          {"name", record.name},
          {"task", record.entry.task},
          {"direction", to_string(record.entry.direction)},
          {"entry_point", record.entry_point},
          {"device", to_string(record.device)},
          {"gpu", record.gpu},
          {"headers", to_string(record.build.headers)},
          {"flags", record.build.flags},
          {"compiler", record.build.compiler},
          {"uses", record.build.uses},
          {"compile_seconds", record.build.compile_seconds},
          {"cached", record.build.cached},
          {"cases", record.cases},
          {"cases_not_called", record.cases_not_called},
          {"scope", to_string(record.coverage)},
          {"timings", record.timings},
          {"mean_speedups", record.mean_speedups},
          {"profile", value_or_null(record.profile)},
          {"sandbox", value_or_null(record.sandbox)},
          {"rivals", record.rivals},
          {"timing_note", record.timing_note},
          {"judged", nullptr},
          {"judged_reason", record.judged ? record.judged->reason : std::string()},
          {"machine", value_or_null(record.machine)},
          {"solution", value_or_null(record.solution)}};
  if (record.judged) json["judged"] = record.judged->by_replay ? by_replay : in_process;
  put_judgement(json, record.judgement);
  put_evidence(json, record.judgement);
}

void from_json(const json& json, KernelRecord& record) {
  json.at("path").get_to(record.path);
  json.at("name").get_to(record.name);
  record.entry = {json.at("task").get<std::string>(),
                  parse_direction(json.at("direction").get<std::string>())};
  record.entry_point = json.value("entry_point", std::string());
  record.device = parse_device(json.at("device").get<std::string>());
  json.at("gpu").get_to(record.gpu);
  record.build.headers = parse_kernel_headers(json.at("headers").get<std::string>());
  json.at("flags").get_to(record.build.flags);
  json.at("compiler").get_to(record.build.compiler);
  // Records of earlier releases do not say.
  record.build.uses = json.value("uses", std::vector<CapabilityUse>());
  json.at("compile_seconds").get_to(record.build.compile_seconds);
  json.at("cached").get_to(record.build.cached);
  record.judgement = get_judgement(json);
  get_evidence(json, record.judgement);
  json.at("cases").get_to(record.cases);
  json.at("cases_not_called").get_to(record.cases_not_called);
  // Records of earlier releases have no scope; all were tested on listed configs alone.
  record.coverage = parse_coverage(json.value("scope", std::string(to_string(Coverage::listed))));
  json.at("timings").get_to(record.timings);
  json.at("mean_speedups").get_to(record.mean_speedups);
  record.profile = optional_of<ProfileRecord>(json.at("profile"));
  record.sandbox = optional_of<SandboxMeans>(json.value("sandbox", nlohmann::json()));
  record.rivals = json.value("rivals", std::vector<RivalRecord>());
  record.timing_note = json.value("timing_note", std::string());
  if (const auto judged = json.find("judged"); judged != json.end() && !judged->is_null()) {
    record.judged = JudgedRecord{.by_replay = judged->get<std::string>() == by_replay,
                                 .reason = json.value("judged_reason", std::string())};
  }
  record.machine = optional_of<MachineRecord>(json.value("machine", nlohmann::json()));
  record.solution = optional_of<SolutionRecord>(json.value("solution", nlohmann::json()));
}

json record_file(const std::vector<KernelRecord>& kernels) {
  return {{"schema_version", record_schema_version}, {"kernels", kernels}};
}

std::vector<KernelRecord> kernels_of(const json& file) {
  const int version = file.at("schema_version").get<int>();
  if (version == record_schema_version) return file.at("kernels").get<std::vector<KernelRecord>>();
  if (version == 1 && file.contains("profiles")) return upgraded_profiles(file);
  if (version == 2) return upgraded_kernels(file);
  throw UserError("the records are of schema version " + std::to_string(version) +
                  ", this program reads versions 2 and " + std::to_string(record_schema_version) +
                  "; make them again");
}

}  // namespace robust_kbench
