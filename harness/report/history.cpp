#include "report/history.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/speedup.hpp"
#include "report/baseline_means.hpp"
#include "report/verdict_blocks.hpp"

namespace robust_kbench {
namespace {

constexpr const char* baseline = "eager";

struct NamedRecord {
  std::string name;
  const KernelRecord* record;
};

std::string date_of(const KernelRecord& record) {
  return record.machine ? record.machine->date : "";
}

std::set<std::string> timed_configs(const KernelRecord& record) {
  std::set<std::string> names;
  for (const ConfigTimingRecord& config : record.timings) {
    if (config.find(baseline) != nullptr) names.insert(config.config);
  }
  return names;
}

std::set<std::string> shared_configs(const std::vector<NamedRecord>& all) {
  std::set<std::string> shared = timed_configs(*all.front().record);
  for (const NamedRecord& one : all) {
    const std::set<std::string> names = timed_configs(*one.record);
    std::erase_if(shared, [&](const std::string& name) { return !names.contains(name); });
  }
  return shared;
}

bool lie_apart(const Interval& a, const Interval& b) {
  return a.high < b.low || b.high < a.low;
}

HistoryPoint point_of(const NamedRecord& named, const std::set<std::string>& configs) {
  const KernelRecord& record = *named.record;
  std::vector<ConfigTimingRecord> timings = record.timings;
  std::erase_if(timings, [&](const auto& config) { return !configs.contains(config.config); });
  std::vector<double> times;
  std::vector<double> lows;
  std::vector<double> highs;
  for (const ConfigTimingRecord& config : timings) {
    const TimingRecord& own = config.subjects.front();
    times.push_back(own.median_us);
    lows.push_back(own.ci_low_us);
    highs.push_back(own.ci_high_us);
  }
  const std::vector<SpeedupRecord> means = timings.size() == record.timings.size()
                                               ? record.mean_speedups
                                               : mean_speedups(timings, same_within(record.device));
  const auto mean = std::ranges::find(means, baseline, &SpeedupRecord::against);
  HistoryPoint point{.name = named.name,
                     .date = date_of(record),
                     .machine = record.machine ? record.machine->cpu + " " + record.gpu : "",
                     .time_us = geometric_mean(times),
                     .time_interval = {geometric_mean(lows), geometric_mean(highs)}};
  if (mean != means.end()) {
    point.speedup = mean->ratio;
    point.speedup_interval = {mean->ci_low, mean->ci_high};
  }
  return point;
}

void mark_steps(std::vector<HistoryPoint>& points) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const HistoryPoint& before = points[i - 1];
    points[i].is_speedup_step = lie_apart(before.speedup_interval, points[i].speedup_interval);
    points[i].is_time_step = before.machine == points[i].machine &&
                             lie_apart(before.time_interval, points[i].time_interval);
  }
}

std::string with_interval_text(double ratio, const Interval& interval) {
  return ratio_text(ratio) + " (" + interval_text(interval) + ")";
}

}  // namespace

std::vector<KernelHistory> histories_of(const std::vector<DatedRecords>& files) {
  std::map<std::string, std::vector<NamedRecord>> by_kernel;
  for (const DatedRecords& file : files) {
    for (const KernelRecord& record : file.records) {
      if (!mean_over(record, baseline)) continue;
      by_kernel[kernel_title(record) + ", " + std::string(to_string(record.device))].push_back(
          {.name = file.name, .record = &record});
    }
  }
  std::vector<KernelHistory> histories;
  for (auto& [kernel, all] : by_kernel) {
    const std::set<std::string> configs = shared_configs(all);
    if (all.size() < 2 || configs.empty()) continue;
    const auto date = [](const NamedRecord& one) { return date_of(*one.record); };
    const bool is_dated = std::ranges::none_of(all, &std::string::empty, date);
    if (is_dated) std::ranges::stable_sort(all, {}, date);
    KernelHistory history{.kernel = kernel, .points = {}};
    for (const NamedRecord& one : all) history.points.push_back(point_of(one, configs));
    mark_steps(history.points);
    histories.push_back(std::move(history));
  }
  return histories;
}

Table step_table(const std::vector<KernelHistory>& histories) {
  Table table({"kernel", "from", "to", "speed-up before", "speed-up after", "the kernel became"});
  for (const KernelHistory& history : histories) {
    for (std::size_t i = 1; i < history.points.size(); ++i) {
      const HistoryPoint& before = history.points[i - 1];
      const HistoryPoint& after = history.points[i];
      if (!after.is_speedup_step) continue;
      table.add({history.kernel, before.name, after.name,
                 with_interval_text(before.speedup, before.speedup_interval),
                 with_interval_text(after.speedup, after.speedup_interval),
                 after.speedup > before.speedup ? "faster" : "slower"});
    }
  }
  return table;
}

}  // namespace robust_kbench
