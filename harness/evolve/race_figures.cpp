#include "evolve/race_figures.hpp"

#include <map>

#include "core/statistics.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

nlohmann::json by_subject(const std::vector<SpeedupRecord>& speedups) {
  nlohmann::json json = nlohmann::json::object();
  for (const SpeedupRecord& speedup : speedups) {
    json[speedup.against] = {
        {"ratio", speedup.ratio}, {"ci_low", speedup.ci_low}, {"ci_high", speedup.ci_high}};
  }
  return json;
}

nlohmann::json times_of(const std::vector<ConfigTimingRecord>& timings, const std::string& kernel) {
  nlohmann::json times = nlohmann::json::object();
  for (const ConfigTimingRecord& config : timings) {
    for (const TimingRecord& subject : config.subjects) {
      const bool raced = &subject == &config.subjects.front();
      times[config.config][raced ? kernel : subject.subject] = subject.median_us;
    }
  }
  return times;
}

nlohmann::json estimated_speedups(const std::vector<ConfigTimingRecord>& timings) {
  std::map<std::string, std::map<std::string, std::vector<double>>> ratios;
  for (const ConfigTimingRecord& config : timings) {
    for (const EstimateRecord& own : config.estimates) {
      if (own.subject != config.subjects.front().subject || own.time_us <= 0) continue;
      for (const EstimateRecord& other : config.estimates) {
        if (other.subject == own.subject || other.estimator != own.estimator) continue;
        if (other.time_us <= 0) continue;
        ratios[own.estimator][other.subject].push_back(other.time_us / own.time_us);
      }
    }
  }
  nlohmann::json speedups = nlohmann::json::object();
  for (const auto& [estimator, subjects] : ratios) {
    for (const auto& [subject, values] : subjects) {
      speedups[estimator][subject] = geometric_mean(values);
    }
  }
  return speedups;
}

std::vector<ConfigTimingRecord> timings_as_kernel(std::vector<ConfigTimingRecord> timings,
                                                  const std::string& name) {
  std::erase_if(timings, [&](const auto& config) { return config.find(name) == nullptr; });
  for (ConfigTimingRecord& config : timings) {
    TimingRecord kernel = *config.find(name);
    kernel.subject = config.subjects.front().subject;
    config.subjects = {std::move(kernel)};
    config.speedups.clear();
  }
  return timings;
}

}  // namespace robust_kbench
