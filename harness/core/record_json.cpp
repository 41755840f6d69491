#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/error.hpp"
#include "core/record.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

// JSON has no NaN or infinity; nlohmann would write null for them only in dump(), not on
// comparison.
json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

double number_of(const json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

json class_or_null(CheatClass cheat_class) {
  return cheat_class == CheatClass::none ? json(nullptr) : json(to_string(cheat_class));
}

CheatClass class_of(const json& json) {
  return json.is_null() ? CheatClass::none : parse_cheat_class(json.get<std::string>());
}

json numbers(const std::vector<double>& values) {
  json list = json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

std::vector<double> numbers_from(const json& list) {
  std::vector<double> values;
  std::transform(list.begin(), list.end(), std::back_inserter(values), number_of);
  return values;
}

json samples_of(const TimingRecord& record) {
  json workers = json::array();
  for (const auto& samples : record.samples_us) workers.push_back(numbers(samples));
  return workers;
}

std::vector<std::vector<double>> samples_from(const json& workers) {
  std::vector<std::vector<double>> samples;
  for (const json& worker : workers) samples.push_back(numbers_from(worker));
  return samples;
}

}  // namespace

void to_json(json& json, const BuildRecord& record) {
  json = {{"schema_version", record_schema_version},
          {"verdict", to_string(record.verdict)},
          {"reason", record.reason},
          {"headers", record.headers},
          {"flags", record.flags},
          {"compiler", record.compiler},
          {"library", record.library},
          {"compile_seconds", record.compile_seconds},
          {"cached", record.cached}};
}

void from_json(const json& json, BuildRecord& record) {
  record.verdict = parse_verdict(json.at("verdict").get<std::string>());
  json.at("reason").get_to(record.reason);
  json.at("headers").get_to(record.headers);
  json.at("flags").get_to(record.flags);
  json.at("compiler").get_to(record.compiler);
  json.at("library").get_to(record.library);
  json.at("compile_seconds").get_to(record.compile_seconds);
  record.cached = json.value("cached", false);  // younger than the schema
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

void from_json(const json& json, CaseRecord& record) {
  json.at("name").get_to(record.name);
  record.verdict = parse_verdict(json.at("verdict").get<std::string>());
  record.cheat_class = class_of(json.at("cheat_class"));
  json.at("reason").get_to(record.reason);
  record.errors.clear();
  for (const nlohmann::json& error : json.at("errors")) {
    record.errors.push_back({.name = error.at("output").get<std::string>(),
                             .max_abs = number_of(error.at("max_abs")),
                             .max_rel = number_of(error.at("max_rel")),
                             .eager_max_abs = number_of(error.at("eager_max_abs"))});
  }
  json.at("calls").get_to(record.calls);
  json.at("bitwise_repeatable").get_to(record.bitwise_repeatable);
  json.at("kernel_seconds").get_to(record.kernel_seconds);
  json.at("reference_seconds").get_to(record.reference_seconds);
  json.at("total_seconds").get_to(record.total_seconds);
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
          {"understated_us", numbers(record.understated_us)},
          {"sm_mhz", record.sm_mhz},
          {"verified_calls", record.verified_calls},
          {"roofline_us", number(record.roofline_us)},
          {"roofline", record.roofline},
          {"hot_us", number(record.hot_us)},
          {"latency_us", number(record.latency_us)},
          {"stopped_by", record.stopped_by},
          {"samples_us", samples_of(record)}};
}

void from_json(const json& json, TimingRecord& record) {
  json.at("config").get_to(record.config);
  json.at("subject").get_to(record.subject);
  record.median_us = number_of(json.at("median_us"));
  record.ci_low_us = number_of(json.at("ci_low_us"));
  record.ci_high_us = number_of(json.at("ci_high_us"));
  record.quartile_low_us = number_of(json.at("quartile_low_us"));
  record.quartile_high_us = number_of(json.at("quartile_high_us"));
  json.at("workers").get_to(record.workers);
  json.at("samples").get_to(record.samples);
  json.at("dropped").get_to(record.dropped);
  record.understated_us = numbers_from(json.at("understated_us"));
  json.at("sm_mhz").get_to(record.sm_mhz);
  json.at("verified_calls").get_to(record.verified_calls);
  record.roofline_us = number_of(json.at("roofline_us"));
  json.at("roofline").get_to(record.roofline);
  // Younger than the schema.
  record.hot_us = number_of(json.value("hot_us", number(0)));
  record.latency_us = number_of(json.value("latency_us", number(0)));
  json.at("stopped_by").get_to(record.stopped_by);
  record.samples_us = samples_from(json.at("samples_us"));
}

void to_json(json& json, const SpeedupRecord& record) {
  json = {{"config", record.config},           {"against", record.against},
          {"ratio", number(record.ratio)},     {"ci_low", number(record.ci_low)},
          {"ci_high", number(record.ci_high)}, {"call", record.call}};
}

void from_json(const json& json, SpeedupRecord& record) {
  json.at("config").get_to(record.config);
  json.at("against").get_to(record.against);
  record.ratio = number_of(json.at("ratio"));
  record.ci_low = number_of(json.at("ci_low"));
  record.ci_high = number_of(json.at("ci_high"));
  json.at("call").get_to(record.call);
}

void to_json(json& json, const EstimateRecord& record) {
  json = {{"config", record.config},       {"subject", record.subject},
          {"estimator", record.estimator}, {"time_us", number(record.time_us)},
          {"calls", record.calls},         {"note", record.note}};
}

void from_json(const json& json, EstimateRecord& record) {
  json.at("config").get_to(record.config);
  json.at("subject").get_to(record.subject);
  json.at("estimator").get_to(record.estimator);
  json.at("time_us").get_to(record.time_us);
  json.at("calls").get_to(record.calls);
  json.at("note").get_to(record.note);
}

void to_json(json& json, const KernelRecord& record) {
  json = {{"path", record.path},
          {"name", record.name},
          {"task", record.entry.task},
          {"direction", to_string(record.entry.direction)},
          {"device", record.device},
          {"gpu", record.gpu},
          {"headers", record.build.headers},
          {"flags", record.build.flags},
          {"compiler", record.build.compiler},
          {"verdict", to_string(record.verdict)},
          {"cheat_class", class_or_null(record.cheat_class)},
          {"reason", record.reason},
          {"skipped_reason", record.skipped_reason},
          {"compile_seconds", record.build.compile_seconds},
          {"cached", record.build.cached},
          {"cases", record.cases},
          {"cases_not_called", record.cases_not_called},
          {"timings", record.timings},
          {"speedups", record.speedups},
          {"estimates", record.estimates}};
}

void from_json(const json& json, KernelRecord& record) {
  json.at("path").get_to(record.path);
  json.at("name").get_to(record.name);
  record.entry = {json.at("task").get<std::string>(),
                  parse_direction(json.at("direction").get<std::string>())};
  json.at("device").get_to(record.device);
  record.gpu = json.value("gpu", std::string());  // younger than the schema
  json.at("headers").get_to(record.build.headers);
  json.at("flags").get_to(record.build.flags);
  json.at("compiler").get_to(record.build.compiler);
  record.verdict = parse_verdict(json.at("verdict").get<std::string>());
  record.cheat_class = class_of(json.at("cheat_class"));
  json.at("reason").get_to(record.reason);
  json.at("skipped_reason").get_to(record.skipped_reason);
  json.at("compile_seconds").get_to(record.build.compile_seconds);
  record.build.cached = json.value("cached", false);
  json.at("cases").get_to(record.cases);
  record.cases_not_called = json.value("cases_not_called", 0);  // younger than the schema
  json.at("timings").get_to(record.timings);
  json.at("speedups").get_to(record.speedups);
  json.at("estimates").get_to(record.estimates);
}

json record_file(const std::vector<KernelRecord>& kernels) {
  return {{"schema_version", record_schema_version}, {"kernels", kernels}};
}

std::vector<KernelRecord> kernels_of(const json& file) {
  const int version = file.at("schema_version").get<int>();
  if (version != record_schema_version) {
    throw UserError("the records are of schema version " + std::to_string(version) +
                    ", this program reads version " + std::to_string(record_schema_version) +
                    "; make them again");
  }
  return file.at("kernels").get<std::vector<KernelRecord>>();
}

}  // namespace robust_kbench
