#include "report/sample_chart.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/statistics.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// A chart shows no more than four figures, and more would only make the page larger.
double rounded(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 3);
  return std::round(value / unit) * unit;
}

std::vector<double> sorted_samples(const TimingRecord& timing) {
  std::vector<double> all;
  for (const std::vector<double>& worker : timing.samples_us) {
    all.insert(all.end(), worker.begin(), worker.end());
  }
  std::ranges::sort(all);
  return all;
}

nlohmann::json box_of(const std::vector<double>& samples) {
  nlohmann::json box = nlohmann::json::array();
  for (const double q : {0.0, 0.25, 0.5, 0.75, 1.0}) box.push_back(rounded(quantile(samples, q)));
  return box;
}

nlohmann::json dots_of(const std::vector<double>& samples, std::size_t most) {
  nlohmann::json dots = nlohmann::json::array();
  const std::size_t count = std::min(most, samples.size());
  for (std::size_t i = 0; i < count; ++i) {
    dots.push_back(rounded(samples[i * samples.size() / count]));
  }
  return dots;
}

}  // namespace

std::size_t distributions_of(const KernelRecord& record) {
  std::size_t count = 0;
  for (const ConfigTimingRecord& config : record.timings) count += config.subjects.size();
  return count;
}

nlohmann::json sample_chart(const KernelRecord& record, std::size_t dots) {
  nlohmann::json rows = nlohmann::json::array();
  std::vector<std::string> subjects;
  for (const ConfigTimingRecord& config : record.timings) {
    for (const TimingRecord& timing : config.subjects) {
      const std::vector<double> samples = sorted_samples(timing);
      if (samples.empty()) continue;
      auto subject = std::ranges::find(subjects, timing.subject);
      if (subject == subjects.end()) subject = subjects.insert(subject, timing.subject);
      rows.push_back({{"name", timing.subject + " · " + config.config},
                      {"color", subject - subjects.begin()},
                      {"box", box_of(samples)},
                      {"dots", dots_of(samples, dots)}});
    }
  }
  return {{"type", "distribution"},
          {"axis", {{"name", "time of a call, us"}, {"log", true}}},
          {"rows", std::move(rows)}};
}

}  // namespace robust_kbench
