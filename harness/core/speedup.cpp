#include "core/speedup.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "core/judged_ratio.hpp"
#include "core/statistics.hpp"

namespace robust_kbench {
namespace {

// Two decimals, or two significant figures where the value is below 0.1.
std::string decimal_text(double value) {
  if (!std::isfinite(value)) return "-";
  std::array<char, 32> text{};
  const bool small = value < 0.1 && value > 0;
  std::snprintf(text.data(), text.size(), small ? "%.2g" : "%.2f", value);
  return text.data();
}

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

// The factors that doubt_of() explains.
constexpr double widest_disturbed = 1.5;
constexpr double widest_undisturbed = 4;
constexpr double plainly_apart = 2;
// Beside busy loops, calls that use all processors were seen to take tens of times as long.
constexpr double most_by_load = 100;

SpeedupRecord mean_speedup(const std::vector<ConfigTimingRecord>& configs,
                           const std::string& against, double same_within) {
  std::vector<double> ratios;
  std::vector<double> replayed;
  std::vector<WorkerSamples> baseline;
  std::vector<WorkerSamples> kernel;
  std::string disturbance;
  for (const ConfigTimingRecord& config : configs) {
    for (const SpeedupRecord& speedup : config.speedups) {
      if (speedup.against != against) continue;
      if (disturbance.empty()) disturbance = config.disturbance;
      ratios.push_back(speedup.ratio);
      if (speedup.replayed) replayed.push_back(*speedup.replayed);
      baseline.push_back(config.find(against)->samples_us);
      kernel.push_back(config.subjects.front().samples_us);
    }
  }
  const Interval interval = bootstrap_geometric_mean(baseline, kernel, interval_seed);
  SpeedupRecord mean =
      judged_ratio(against, geometric_mean(ratios), interval, same_within, disturbance);
  if (replayed.size() == ratios.size()) mean.replayed = geometric_mean(replayed);
  return mean;
}

std::optional<double> replayed_us(const ConfigTimingRecord& config, const std::string& subject) {
  const EstimateRecord* const replay = find_estimate(config.estimates, replay_estimator, subject);
  if (replay == nullptr || !(replay->time_us > 0)) return std::nullopt;
  return replay->time_us;
}

}  // namespace

std::string doubt_of(const Interval& ratio, const std::string& disturbance) {
  // The distance of the nearer end from 1, as a factor. An interval around 1, or of NaN, has
  // distance 1.
  const double distance = ratio.low > 1 ? ratio.low : ratio.high < 1 ? 1 / ratio.high : 1;
  const double width = ratio.high / ratio.low;
  const bool clear = distance > 1 && width <= distance;
  if (!disturbance.empty()) {
    const bool beyond_load = distance > most_by_load;
    const bool narrow = clear && width <= widest_disturbed;
    const bool plain = distance > plainly_apart && width * width <= distance;
    return narrow || plain || beyond_load ? "" : disturbance;
  }
  return !clear && !(width <= widest_undisturbed) ? "the times scatter too much" : "";
}

SpeedupRecord speedup(const TimingRecord& kernel, const TimingRecord& baseline, double same_within,
                      const std::string& disturbance) {
  const Interval interval = bootstrap_ratio(baseline.samples_us, kernel.samples_us, interval_seed);
  return judged_ratio(baseline.subject, baseline.median_us / kernel.median_us, interval,
                      same_within, disturbance);
}

void raise_kernel_times(ConfigTimingRecord& config, double us, double same_within) {
  TimingRecord& kernel = config.subjects.front();
  for (double* time : {&kernel.median_us, &kernel.ci_low_us, &kernel.ci_high_us,
                       &kernel.quartile_low_us, &kernel.quartile_high_us}) {
    *time += us;
  }
  for (auto& samples : kernel.samples_us) {
    for (double& sample : samples) sample += us;
  }
  kernel.understated_us.resize(kernel.samples_us.size());
  for (double& understated : kernel.understated_us) understated += us;
  for (SpeedupRecord& over : config.speedups) {
    over = speedup(kernel, *config.find(over.against), same_within, config.disturbance);
  }
}

void add_replayed_ratios(ConfigTimingRecord& config) {
  const std::optional<double> kernel_us = replayed_us(config, config.subjects.front().subject);
  if (!kernel_us) return;
  for (SpeedupRecord& over : config.speedups) {
    const std::optional<double> other_us = replayed_us(config, over.against);
    if (other_us) over.replayed = *other_us / *kernel_us;
  }
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
  return (speedup.doubt.empty() ? "" : speedup.doubt + ": ") + "not told apart from " +
         speedup.against;
}

std::string ratio_text(double ratio) {
  return decimal_text(ratio) + "x";
}

std::string interval_text(const Interval& ratio) {
  return decimal_text(ratio.low) + ".." + decimal_text(ratio.high);
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
