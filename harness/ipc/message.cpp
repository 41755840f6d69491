#include "ipc/message.hpp"

#include <array>
#include <limits>
#include <utility>

#include "ipc/message_fields.hpp"
#include "process/escape.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

// No kernel needs more than these limits, which keep a hostile worker from exhausting the broker.
constexpr std::size_t max_parameters = 256;
constexpr std::size_t max_overloads = 256;
constexpr std::size_t max_sampled = 1U << 16;

constexpr std::array<std::pair<Failure, const char*>, 3> failure_names{{
    {Failure::load_error, "load_error"},
    {Failure::exception, "exception"},
    {Failure::out_of_memory, "out_of_memory"},
}};

json parameters_json(const Loaded::Parameters& parameters) {
  auto list = json::array();
  for (const Loaded::Parameter& parameter : parameters) {
    list.push_back({{"name", parameter.name},
                    {"kind", parameter.kind},
                    {"optional", parameter.optional},
                    {"has_default", parameter.has_default}});
  }
  return list;
}

Loaded::Parameters parameters_in(const json& json) {
  Loaded::Parameters parameters;
  for (const auto& parameter : array_in(json, "parameters", max_parameters)) {
    parameters.push_back({.name = string_in(parameter, "name"),
                          .kind = small_integer_in(parameter, "kind"),
                          .optional = bool_in(parameter, "optional"),
                          .has_default = bool_in(parameter, "has_default")});
  }
  return parameters;
}

}  // namespace

void to_json(json& json, const Load& load) {
  json = {{"library", load.library}, {"entry", load.entry}};
}

void from_json(const json& json, Load& load) {
  load = {.library = string_in(json, "library"), .entry = string_in(json, "entry")};
}

void to_json(json& json, const Loaded& loaded) {
  auto overloads = json::array();
  for (const Loaded::Parameters& parameters : loaded.overloads) {
    overloads.push_back({{"parameters", parameters_json(parameters)}});
  }
  json = {{"parameters", parameters_json(loaded.parameters)},
          {"overloads", std::move(overloads)},
          {"headers", to_string(loaded.headers)}};
}

void from_json(const json& json, Loaded& loaded) {
  loaded = {.parameters = parameters_in(json)};
  for (const auto& overload : array_in(json, "overloads", max_overloads)) {
    loaded.overloads.push_back(parameters_in(overload));
  }
  const auto headers = compiled_headers(string_in(json, "headers"));
  if (!headers) wrong_type("headers", "kind of headers");
  loaded.headers = *headers;
}

void to_json(json& json, const OutputSample& output_sample) {
  auto seen = json::array();
  for (const std::byte byte : output_sample.seen) seen.push_back(std::to_integer<unsigned>(byte));
  json = {{"call", output_sample.call}, {"key", output_sample.key}, {"seen", std::move(seen)}};
}

void from_json(const json& json, OutputSample& output_sample) {
  output_sample = {.call = unsigned_in(json, "call"), .key = unsigned_in(json, "key"), .seen = {}};
  for (const auto& byte : array_in(json, "seen", max_sampled)) {
    const std::uint64_t value = as_unsigned(byte, "seen");
    if (value > std::numeric_limits<std::uint8_t>::max()) wrong_type("seen", "list of bytes");
    output_sample.seen.push_back(static_cast<std::byte>(value));
  }
}

void to_json(json& json, const Estimate& estimate) {
  json = {{"time_us", estimate.time_us}, {"calls", estimate.calls}, {"note", estimate.note}};
}

void from_json(const json& json, Estimate& estimate) {
  estimate = {.time_us = number_in(json, "time_us"),
              .calls = static_cast<int>(unsigned_in(json, "calls") & 0x7fffffff),
              .note = string_in(json, "note")};
}

// Writes each activity as a list of its fields in their order.
void to_json(json& json, const Trace& trace) {
  auto activities = json::array();
  for (const CudaActivity& activity : trace.activities) {
    activities.push_back({static_cast<int>(activity.kind), escaped(activity.name),
                          activity.start_ns, activity.end_ns, activity.bytes});
  }
  json = {{"missing", trace.missing}, {"activities", std::move(activities)}};
}

void from_json(const json& json, Trace& trace) {
  constexpr std::size_t fields = 5;
  trace = {.missing = string_in(json, "missing"), .activities = {}};
  for (const auto& listed : array_in(json, "activities", max_traced_activities)) {
    if (!listed.is_array() || listed.size() != fields || !listed[1].is_string()) {
      wrong_type("activities", "list of activities");
    }
    const std::uint64_t kind = as_unsigned(listed[0], "kind");
    const CudaActivity activity{.kind = static_cast<CudaActivity::Kind>(kind),
                                .name = listed[1].get<std::string>(),
                                .start_ns = as_unsigned(listed[2], "start_ns"),
                                .end_ns = as_unsigned(listed[3], "end_ns"),
                                .bytes = as_unsigned(listed[4], "bytes")};
    if (kind > static_cast<std::uint64_t>(CudaActivity::Kind::memset) ||
        activity.end_ns < activity.start_ns) {
      wrong_type("activities", "list of activities");
    }
    trace.activities.push_back(activity);
  }
}

void to_json(json& json, const Failed& failed) {
  for (const auto& [failure, name] : failure_names) {
    if (failure == failed.failure) json["failure"] = name;
  }
  json["message"] = failed.message;
  json["call"] = failed.call;
}

void from_json(const json& json, Failed& failed) {
  const std::string name = string_in(json, "failure");
  for (const auto& [failure, known] : failure_names) {
    if (name != known) continue;
    failed = {failure, string_in(json, "message"), unsigned_in(json, "call")};
    return;
  }
  wrong_type("failure", "kind of failure");
}

}  // namespace robust_kbench
