#include "core/record_upgrade.hpp"

#include <algorithm>

#include "core/json_fields.hpp"
#include "core/speedup.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

// The list's object for `config`, which is added where it is missing.
json& of_config(json& timings, const json& config) {
  const auto known = std::find_if(timings.begin(), timings.end(),
                                  [&](const json& timing) { return timing["config"] == config; });
  if (known != timings.end()) return *known;
  timings.push_back({{"config", config},
                     {"roofline", nullptr},
                     {"subjects", json::array()},
                     {"speedups", json::array()},
                     {"estimates", json::array()}});
  return timings.back();
}

json timings_of(const json& kernel) {
  json timings = json::array();
  for (json subject : kernel.at("timings")) {
    json& config = of_config(timings, subject.at("config"));
    // These fields are younger than the schema.
    for (const char* field : {"hot_us", "latency_us"}) {
      if (!subject.contains(field)) subject[field] = 0;
    }
    if (subject.at("roofline_us") != 0) {
      config["roofline"] = {{"us", subject["roofline_us"]}, {"bound", subject.at("roofline")}};
    }
    config["subjects"].push_back(std::move(subject));
  }
  for (const char* list : {"speedups", "estimates"}) {
    for (const json& value : kernel.at(list)) {
      of_config(timings, value.at("config"))[list].push_back(value);
    }
  }
  return timings;
}

KernelRecord upgraded(json kernel) {
  kernel["timings"] = timings_of(kernel);
  kernel["mean_speedups"] = json::array();
  kernel["profile"] = nullptr;
  if (kernel.at("verdict") == "skipped") kernel["reason"] = kernel.at("skipped_reason");
  // These fields are younger than the schema.
  if (!kernel.contains("gpu")) kernel["gpu"] = "";
  if (!kernel.contains("cached")) kernel["cached"] = false;
  if (!kernel.contains("cases_not_called")) kernel["cases_not_called"] = 0;
  auto record = kernel.get<KernelRecord>();
  record.mean_speedups = mean_speedups(record.timings, same_within(record.device));
  return record;
}

}  // namespace

std::vector<KernelRecord> upgraded_kernels(const json& file) {
  std::vector<KernelRecord> records;
  for (const json& kernel : file.at("kernels")) records.push_back(upgraded(kernel));
  return records;
}

std::vector<KernelRecord> upgraded_profiles(const json& file) {
  std::vector<KernelRecord> records;
  for (const json& profile : file.at("profiles")) {
    KernelRecord& record = records.emplace_back();
    profile.at("path").get_to(record.path);
    profile.at("name").get_to(record.name);
    profile.at("task").get_to(record.entry.task);
    record.entry.direction = parse_direction(profile.at("direction").get<std::string>());
    record.device = parse_device(profile.at("device").get<std::string>());
    record.judgement = get_judgement(profile);
    record.profile = profile.get<ProfileRecord>();
  }
  return records;
}

}  // namespace robust_kbench
