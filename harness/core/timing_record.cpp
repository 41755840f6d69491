#include "core/timing_record.hpp"

#include <algorithm>

#include "core/enum_names.hpp"
#include "core/json_fields.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr EnumNames<StopReason, 3> stop_reasons{"reason to stop",
                                                {{{StopReason::interval, "interval"},
                                                  {StopReason::workers, "workers"},
                                                  {StopReason::cap, "cap"}}}};

json samples_of(const TimingRecord& record) {
  json workers = json::array();
  for (const auto& samples : record.samples_us) workers.push_back(numbers(samples));
  return workers;
}

std::vector<std::vector<double>> samples_from(const json& workers) {
  std::vector<std::vector<double>> samples;
  for (const json& worker : workers) samples.push_back(numbers_of(worker));
  return samples;
}

}  // namespace

std::string_view to_string(StopReason reason) {
  return stop_reasons.name_of(reason);
}

StopReason parse_stop_reason(std::string_view name) {
  return stop_reasons.parse(name);
}

const TimingRecord* ConfigTimingRecord::find(std::string_view subject) const {
  const auto found =
      std::find_if(subjects.begin(), subjects.end(),
                   [&](const TimingRecord& timing) { return timing.subject == subject; });
  return found == subjects.end() ? nullptr : &*found;
}

const EstimateRecord* find_estimate(const std::vector<EstimateRecord>& estimates,
                                    std::string_view estimator, std::string_view subject) {
  const auto found =
      std::find_if(estimates.begin(), estimates.end(), [&](const EstimateRecord& estimate) {
        return estimate.estimator == estimator && estimate.subject == subject;
      });
  return found == estimates.end() ? nullptr : &*found;
}

void to_json(json& json, const TimingRecord& record) {
  json = {{"subject", record.subject},
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
          {"hot_us", number(record.hot_us)},
          {"latency_us", number(record.latency_us)},
          {"stopped_by", to_string(record.stopped_by)},
          {"samples_us", samples_of(record)}};
}

void from_json(const json& json, TimingRecord& record) {
  json.at("subject").get_to(record.subject);
  record.median_us = number_of(json.at("median_us"));
  record.ci_low_us = number_of(json.at("ci_low_us"));
  record.ci_high_us = number_of(json.at("ci_high_us"));
  record.quartile_low_us = number_of(json.at("quartile_low_us"));
  record.quartile_high_us = number_of(json.at("quartile_high_us"));
  json.at("workers").get_to(record.workers);
  json.at("samples").get_to(record.samples);
  json.at("dropped").get_to(record.dropped);
  record.understated_us = numbers_of(json.at("understated_us"));
  json.at("sm_mhz").get_to(record.sm_mhz);
  json.at("verified_calls").get_to(record.verified_calls);
  record.hot_us = number_of(json.at("hot_us"));
  record.latency_us = number_of(json.at("latency_us"));
  record.stopped_by = parse_stop_reason(json.at("stopped_by").get<std::string>());
  record.samples_us = samples_from(json.at("samples_us"));
}

void to_json(json& json, const SpeedupRecord& record) {
  json = {{"against", record.against},
          {"ratio", number(record.ratio)},
          {"ci_low", number(record.ci_low)},
          {"ci_high", number(record.ci_high)},
          {"call", to_string(record.call)},
          {"doubt", record.doubt},
          {"replayed", value_or_null(record.replayed)}};
}

void from_json(const json& json, SpeedupRecord& record) {
  json.at("against").get_to(record.against);
  record.ratio = number_of(json.at("ratio"));
  record.ci_low = number_of(json.at("ci_low"));
  record.ci_high = number_of(json.at("ci_high"));
  record.call = parse_ratio_call(json.at("call").get<std::string>());
  record.doubt = json.value("doubt", std::string());
  record.replayed = optional_of<double>(json.value("replayed", nlohmann::json()));
}

void to_json(json& json, const EstimateRecord& record) {
  json = {{"subject", record.subject},
          {"estimator", record.estimator},
          {"time_us", number(record.time_us)},
          {"calls", record.calls},
          {"note", record.note}};
}

void from_json(const json& json, EstimateRecord& record) {
  json.at("subject").get_to(record.subject);
  json.at("estimator").get_to(record.estimator);
  record.time_us = number_of(json.at("time_us"));
  json.at("calls").get_to(record.calls);
  json.at("note").get_to(record.note);
}

void to_json(json& json, const RooflineRecord& record) {
  json = {{"us", number(record.us)}, {"bound", record.bound}};
}

void from_json(const json& json, RooflineRecord& record) {
  record.us = number_of(json.at("us"));
  json.at("bound").get_to(record.bound);
}

void to_json(json& json, const ConfigTimingRecord& record) {
  json = {{"config", record.config},          {"roofline", value_or_null(record.roofline)},
          {"subjects", record.subjects},      {"speedups", record.speedups},
          {"estimates", record.estimates},    {"busy_cpus", value_or_null(record.busy_cpus)},
          {"disturbance", record.disturbance}};
}

void from_json(const json& json, ConfigTimingRecord& record) {
  json.at("config").get_to(record.config);
  record.roofline = optional_of<RooflineRecord>(json.at("roofline"));
  json.at("subjects").get_to(record.subjects);
  json.at("speedups").get_to(record.speedups);
  json.at("estimates").get_to(record.estimates);
  record.busy_cpus = optional_of<double>(json.value("busy_cpus", nlohmann::json()));
  record.disturbance = json.value("disturbance", std::string());
}

}  // namespace robust_kbench
