#include "evolve/tuning_report.hpp"

#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// A setting with its speed-ups over the tuned kernel.
struct Resolved {
  std::int64_t id = 0;
  std::int64_t tuned = 0;
  std::string setting;
  std::map<std::string, double> speedups;
};

// Parents come before their children, since they have smaller ids.
std::map<std::int64_t, Resolved> resolve(const std::vector<TimedSetting>& timed) {
  std::map<std::int64_t, Resolved> all;
  for (const TimedSetting& one : timed) {
    Resolved resolved{
        .id = one.id, .tuned = one.parent, .setting = one.setting, .speedups = one.speedups};
    if (const auto parent = all.find(one.parent); parent != all.end()) {
      resolved.tuned = parent->second.tuned;
      resolved.speedups.clear();
      for (const auto& [config, speedup] : parent->second.speedups) {
        const auto own = one.speedups.find(config);
        if (own != one.speedups.end()) resolved.speedups[config] = speedup * own->second;
      }
    }
    all[one.id] = resolved;
  }
  return all;
}

double geometric_mean_of(const std::map<std::string, double>& speedups) {
  double sum = 0;
  for (const auto& [config, speedup] : speedups) sum += std::log(speedup);
  return std::exp(sum / static_cast<double>(speedups.size()));
}

TuningReport report_of(std::int64_t tuned, const std::vector<Resolved>& settings) {
  std::set<std::string> configs;
  for (const Resolved& one : settings) {
    for (const auto& [config, speedup] : one.speedups) configs.insert(config);
  }
  Resolved unchanged{.id = tuned, .tuned = tuned};
  for (const std::string& config : configs) unchanged.speedups[config] = 1;
  const Resolved* best_of_all = &unchanged;
  double best_mean = 1;
  for (const Resolved& one : settings) {
    if (one.speedups.size() < configs.size()) continue;
    const double mean = geometric_mean_of(one.speedups);
    if (mean <= best_mean) continue;
    best_mean = mean;
    best_of_all = &one;
  }
  TuningReport report{.tuned = tuned,
                      .settings = static_cast<int>(settings.size()),
                      .one = best_of_all->id,
                      .setting = best_of_all->setting};
  std::map<std::string, double> best_speedups;
  for (const std::string& config : configs) {
    BestSetting best{.config = config,
                     .proposal = tuned,
                     .setting = "",
                     .speedup = 1,
                     .speedup_of_one = best_of_all->speedups.at(config)};
    for (const Resolved& one : settings) {
      const auto speedup = one.speedups.find(config);
      if (speedup == one.speedups.end() || speedup->second <= best.speedup) continue;
      best.proposal = one.id;
      best.setting = one.setting;
      best.speedup = speedup->second;
    }
    best_speedups[config] = best.speedup;
    report.configs.push_back(best);
  }
  report.gives_up = geometric_mean_of(best_speedups) / best_mean - 1;
  return report;
}

}  // namespace

std::vector<TuningReport> tuning_reports(const std::vector<TimedSetting>& timed) {
  std::map<std::int64_t, std::vector<Resolved>> by_kernel;
  for (const auto& [id, resolved] : resolve(timed)) {
    if (!resolved.speedups.empty()) by_kernel[resolved.tuned].push_back(resolved);
  }
  std::vector<TuningReport> reports;
  reports.reserve(by_kernel.size());
  for (const auto& [tuned, settings] : by_kernel) reports.push_back(report_of(tuned, settings));
  return reports;
}

void to_json(nlohmann::json& json, const BestSetting& best) {
  json = {{"config", best.config},
          {"proposal", best.proposal},
          {"setting", best.setting},
          {"speedup", best.speedup},
          {"speedup_of_one", best.speedup_of_one}};
}

void from_json(const nlohmann::json& json, BestSetting& best) {
  json.at("config").get_to(best.config);
  json.at("proposal").get_to(best.proposal);
  json.at("setting").get_to(best.setting);
  json.at("speedup").get_to(best.speedup);
  json.at("speedup_of_one").get_to(best.speedup_of_one);
}

void to_json(nlohmann::json& json, const TuningReport& report) {
  json = {{"tuned", report.tuned},     {"settings", report.settings}, {"one", report.one},
          {"setting", report.setting}, {"gives_up", report.gives_up}, {"configs", report.configs}};
}

void from_json(const nlohmann::json& json, TuningReport& report) {
  json.at("tuned").get_to(report.tuned);
  json.at("settings").get_to(report.settings);
  json.at("one").get_to(report.one);
  json.at("setting").get_to(report.setting);
  json.at("gives_up").get_to(report.gives_up);
  json.at("configs").get_to(report.configs);
}

}  // namespace robust_kbench
