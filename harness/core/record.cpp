#include "core/record.hpp"

#include <cmath>

namespace robust_kbench {
namespace {

using nlohmann::json;

// JSON has no NaN or infinity; nlohmann would write null for them only in dump(), not on
// comparison.
json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

json class_or_null(CheatClass cheat_class) {
  return cheat_class == CheatClass::none ? json(nullptr) : json(to_string(cheat_class));
}

json samples_of(const TimingRecord& record) {
  json workers = json::array();
  for (const auto& samples : record.samples_us) {
    json worker = json::array();
    for (const double sample : samples) worker.push_back(number(sample));
    workers.push_back(std::move(worker));
  }
  return workers;
}

}  // namespace

void judge(KernelRecord& record) {
  record.verdict = record.build.verdict;
  record.reason = record.build.reason;
  for (const CaseRecord& c : record.cases) {
    if (!outranks(c.verdict, record.verdict)) continue;
    record.verdict = c.verdict;
    record.cheat_class = c.cheat_class;
    record.reason = c.name + ": " + c.reason;
  }
}

void to_json(json& json, const BuildRecord& record) {
  json = {{"schema_version", record_schema_version},
          {"verdict", to_string(record.verdict)},
          {"reason", record.reason},
          {"headers", record.headers},
          {"flags", record.flags},
          {"compiler", record.compiler},
          {"library", record.library},
          {"compile_seconds", record.compile_seconds}};
}

void from_json(const json& json, BuildRecord& record) {
  record.verdict = parse_verdict(json.at("verdict").get<std::string>());
  json.at("reason").get_to(record.reason);
  json.at("headers").get_to(record.headers);
  json.at("flags").get_to(record.flags);
  json.at("compiler").get_to(record.compiler);
  json.at("library").get_to(record.library);
  json.at("compile_seconds").get_to(record.compile_seconds);
}

void to_json(json& json, const CaseRecord& record) {
  nlohmann::json errors = nlohmann::json::array();
  for (const OutputError& e : record.errors) {
    errors.push_back({{"output", e.name},
                      {"max_abs", number(e.max_abs)},
                      {"max_rel", number(e.max_rel)},
                      {"eager_max_abs", number(e.eager_max_abs)}});
  }
  json = {{"name", record.name},
          {"verdict", to_string(record.verdict)},
          {"cheat_class", class_or_null(record.cheat_class)},
          {"reason", record.reason},
          {"errors", std::move(errors)},
          {"calls", record.calls},
          {"bitwise_repeatable", record.bitwise_repeatable},
          {"kernel_seconds", record.kernel_seconds},
          {"reference_seconds", record.reference_seconds},
          {"total_seconds", record.total_seconds}};
}

void to_json(json& json, const TimingRecord& record) {
  json = {{"config", record.config},
          {"subject", record.subject},
          {"median_us", number(record.median_us)},
          {"ci_low_us", number(record.ci_low_us)},
          {"ci_high_us", number(record.ci_high_us)},
          {"quartile_low_us", number(record.quartile_low_us)},
          {"quartile_high_us", number(record.quartile_high_us)},
          {"workers", record.workers},
          {"samples", record.samples},
          {"dropped", record.dropped},
          {"hidden_us", number(record.hidden_us)},
          {"sm_mhz", record.sm_mhz},
          {"verified_calls", record.verified_calls},
          {"roofline_us", number(record.roofline_us)},
          {"roofline", record.roofline},
          {"stopped_by", record.stopped_by},
          {"samples_us", samples_of(record)}};
}

void to_json(json& json, const SpeedupRecord& record) {
  json = {{"config", record.config},           {"against", record.against},
          {"ratio", number(record.ratio)},     {"ci_low", number(record.ci_low)},
          {"ci_high", number(record.ci_high)}, {"call", record.call}};
}

void to_json(json& json, const EstimateRecord& record) {
  json = {{"config", record.config},       {"subject", record.subject},
          {"estimator", record.estimator}, {"time_us", number(record.time_us)},
          {"calls", record.calls},         {"note", record.note}};
}

void to_json(json& json, const KernelRecord& record) {
  json = {{"path", record.path},
          {"name", record.name},
          {"task", record.entry.task},
          {"direction", to_string(record.entry.direction)},
          {"device", record.device},
          {"headers", record.build.headers},
          {"flags", record.build.flags},
          {"compiler", record.build.compiler},
          {"verdict", to_string(record.verdict)},
          {"cheat_class", class_or_null(record.cheat_class)},
          {"reason", record.reason},
          {"skipped_reason", record.skipped_reason},
          {"compile_seconds", record.build.compile_seconds},
          {"cases", record.cases},
          {"timings", record.timings},
          {"speedups", record.speedups},
          {"estimates", record.estimates}};
}

json record_file(const std::vector<KernelRecord>& kernels) {
  return {{"schema_version", record_schema_version}, {"kernels", kernels}};
}

}  // namespace robust_kbench
