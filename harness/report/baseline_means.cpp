#include "report/baseline_means.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/speedup.hpp"
#include "core/statistics.hpp"

namespace robust_kbench {
namespace {

constexpr const char* best_name = "best baseline";

bool is_baseline(const KernelRecord& kernel, const std::string& name) {
  const bool is_rival =
      std::ranges::find(kernel.rivals, name, &RivalRecord::name) != kernel.rivals.end();
  return !is_rival && name != "empty" && !name.ends_with("_tf32");
}

const TimingRecord* fastest_baseline(const KernelRecord& kernel, const ConfigTimingRecord& config) {
  const TimingRecord* fastest = nullptr;
  for (const SpeedupRecord& speedup : config.speedups) {
    const TimingRecord* const timing = config.find(speedup.against);
    if (timing == nullptr || !is_baseline(kernel, speedup.against)) continue;
    if (fastest == nullptr || timing->median_us < fastest->median_us) fastest = timing;
  }
  return fastest;
}

}  // namespace

std::optional<SpeedupRecord> mean_over(const KernelRecord& kernel, const std::string& against) {
  const auto found = std::ranges::find(kernel.mean_speedups, against, &SpeedupRecord::against);
  if (found == kernel.mean_speedups.end()) return std::nullopt;
  return *found;
}

std::optional<SpeedupRecord> mean_over_best_baseline(const KernelRecord& kernel) {
  std::vector<ConfigTimingRecord> races;
  std::set<std::string> names;
  for (const ConfigTimingRecord& config : kernel.timings) {
    const TimingRecord* const fastest = fastest_baseline(kernel, config);
    if (fastest == nullptr) continue;
    names.insert(fastest->subject);
    TimingRecord best = *fastest;
    best.subject = best_name;
    SpeedupRecord race{.against = best_name,
                       .ratio = best.median_us / config.subjects.front().median_us};
    races.push_back({.config = config.config,
                     .subjects = {config.subjects.front(), std::move(best)},
                     .speedups = {std::move(race)},
                     .disturbance = config.disturbance});
  }
  if (races.empty()) return std::nullopt;
  if (names.size() == 1) {
    // The record has this interval already, unless the baseline was not timed on all configs.
    std::optional<SpeedupRecord> mean = mean_over(kernel, *names.begin());
    if (mean && races.size() == kernel.timings.size()) {
      mean->against = best_name;
      return mean;
    }
  }
  return mean_speedups(races, same_within(kernel.device)).front();
}

std::optional<double> mean_us(const KernelRecord& kernel, const std::string& subject) {
  std::vector<double> medians;
  for (const ConfigTimingRecord& config : kernel.timings) {
    if (const TimingRecord* timing = config.find(subject)) medians.push_back(timing->median_us);
  }
  if (medians.empty()) return std::nullopt;
  return geometric_mean(medians);
}

double roofline_percent(const ConfigTimingRecord& config) {
  return 100 * config.roofline->us / config.subjects.front().median_us;
}

std::optional<double> mean_roofline_percent(const KernelRecord& kernel) {
  std::vector<double> shares;
  for (const ConfigTimingRecord& config : kernel.timings) {
    if (config.roofline) shares.push_back(roofline_percent(config));
  }
  if (shares.empty()) return std::nullopt;
  return geometric_mean(shares);
}

}  // namespace robust_kbench
