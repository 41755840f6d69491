#include "report/metrics.hpp"

#include <map>

#include "core/statistics.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Four figures are more than any interval leaves.
std::string number_text(double value) {
  return fmt::format("{:.4g}", value);
}

void add_means(const KernelRecord& record, std::vector<Metric>& metrics) {
  std::vector<std::string> subjects;
  std::map<std::string, std::vector<double>> times;
  std::vector<double> shares;
  for (const ConfigTimingRecord& config : record.timings) {
    for (const TimingRecord& subject : config.subjects) {
      if (!times.contains(subject.subject)) subjects.push_back(subject.subject);
      times[subject.subject].push_back(subject.median_us);
    }
    if (config.roofline) {
      shares.push_back(100 * config.roofline->us / config.subjects.front().median_us);
    }
  }
  for (const std::string& subject : subjects) {
    metrics.push_back({subject + "_us", number_text(geometric_mean(times[subject]))});
  }
  if (!shares.empty()) {
    metrics.push_back({"roofline_percent", number_text(geometric_mean(shares))});
  }
}

}  // namespace

std::vector<Metric> metrics_of(const KernelRecord& record) {
  std::vector<Metric> metrics{{"asks_for", used_capabilities(record.build.uses)}};
  add_means(record, metrics);
  for (const SpeedupRecord& mean : record.mean_speedups) {
    const std::string name = "speedup_over_" + mean.against;
    metrics.push_back({name, number_text(mean.ratio)});
    metrics.push_back({name + "_low", number_text(mean.ci_low)});
    metrics.push_back({name + "_high", number_text(mean.ci_high)});
  }
  for (const ConfigTimingRecord& config : record.timings) {
    metrics.push_back(
        {"kernel_us/" + config.config, number_text(config.subjects.front().median_us)});
  }
  return metrics;
}

}  // namespace robust_kbench
