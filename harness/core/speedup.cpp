#include "core/speedup.hpp"

#include <algorithm>
#include <string>

#include "core/statistics.hpp"

namespace robust_kbench {
namespace {

std::vector<std::string> baselines_of(const std::vector<ConfigTimingRecord>& configs) {
  std::vector<std::string> names;
  for (const ConfigTimingRecord& config : configs) {
    for (const SpeedupRecord& speedup : config.speedups) {
      if (std::find(names.begin(), names.end(), speedup.against) == names.end()) {
        names.push_back(speedup.against);
      }
    }
  }
  return names;
}

SpeedupRecord mean_speedup(const std::vector<ConfigTimingRecord>& configs,
                           const std::string& against, double same_within) {
  std::vector<double> ratios;
  std::vector<WorkerSamples> baseline;
  std::vector<WorkerSamples> kernel;
  for (const ConfigTimingRecord& config : configs) {
    for (const SpeedupRecord& speedup : config.speedups) {
      if (speedup.against != against) continue;
      ratios.push_back(speedup.ratio);
      baseline.push_back(config.find(against)->samples_us);
      kernel.push_back(config.subjects.front().samples_us);
    }
  }
  const Interval interval = bootstrap_geometric_mean(baseline, kernel, interval_seed);
  return {.against = against,
          .ratio = geometric_mean(ratios),
          .ci_low = interval.low,
          .ci_high = interval.high,
          .call = call_ratio(interval, same_within)};
}

}  // namespace

SpeedupRecord speedup(const TimingRecord& kernel, const TimingRecord& baseline,
                      double same_within) {
  const Interval interval = bootstrap_ratio(baseline.samples_us, kernel.samples_us, interval_seed);
  return {.against = baseline.subject,
          .ratio = baseline.median_us / kernel.median_us,
          .ci_low = interval.low,
          .ci_high = interval.high,
          .call = call_ratio(interval, same_within)};
}

std::string in_words(const SpeedupRecord& speedup) {
  switch (speedup.call) {
    case RatioCall::faster:
    case RatioCall::slower:
      return std::string(to_string(speedup.call)) + " than " + speedup.against;
    case RatioCall::same:
      return "as fast as " + speedup.against;
    case RatioCall::ambiguous:
      break;
  }
  return "not told apart from " + speedup.against;
}

std::vector<SpeedupRecord> mean_speedups(const std::vector<ConfigTimingRecord>& configs,
                                         double same_within) {
  std::vector<SpeedupRecord> means;
  for (const std::string& against : baselines_of(configs)) {
    means.push_back(mean_speedup(configs, against, same_within));
  }
  return means;
}

}  // namespace robust_kbench
