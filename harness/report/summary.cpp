#include "report/summary.hpp"

#include <algorithm>
#include <cmath>

#include "core/statistics.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::string label(const KernelRecord& kernel) {
  std::string verdict(to_string(kernel.verdict));
  if (kernel.cheat_class == CheatClass::none) return verdict;
  return verdict + " (" + std::string(to_string(kernel.cheat_class)) + ")";
}

std::string mean_time(const KernelRecord& kernel, const std::string& subject) {
  std::vector<double> medians;
  for (const TimingRecord& timing : kernel.timings) {
    if (timing.subject == subject) medians.push_back(timing.median_us);
  }
  return medians.empty() ? "-" : format_time(geometric_mean(medians));
}

const TimingRecord* find_timing(const KernelRecord& kernel, const std::string& config,
                                const std::string& subject) {
  for (const TimingRecord& timing : kernel.timings) {
    if (timing.config == config && timing.subject == subject) return &timing;
  }
  return nullptr;
}

// Speed-up over eager by geometric mean over the configs, and its interval.
std::pair<std::string, std::string> mean_speedup(const KernelRecord& kernel) {
  std::vector<double> ratios;
  std::vector<WorkerSamples> eager;
  std::vector<WorkerSamples> own;
  for (const SpeedupRecord& speedup : kernel.speedups) {
    if (speedup.against != "eager") continue;
    ratios.push_back(speedup.ratio);
    eager.push_back(find_timing(kernel, speedup.config, "eager")->samples_us);
    own.push_back(find_timing(kernel, speedup.config, "kernel")->samples_us);
  }
  if (ratios.empty()) return {"-", "-"};
  constexpr std::uint64_t seed = 1;  // the same record always gives the same table
  const Interval interval = bootstrap_geometric_mean(eager, own, seed);
  return {fmt::format("{:.2f}x", geometric_mean(ratios)),
          fmt::format("{:.2f}..{:.2f}", interval.low, interval.high)};
}

std::size_t wanted_cases(const KernelRecord& kernel) {
  return kernel.cases.size() + static_cast<std::size_t>(kernel.cases_not_called);
}

std::string not_called(int cases) {
  return cases == 0 ? "" : fmt::format(", {} not called", cases);
}

std::string cases(const KernelRecord& kernel) {
  const auto passed = std::count_if(kernel.cases.begin(), kernel.cases.end(),
                                    [](const CaseRecord& c) { return c.verdict == Verdict::pass; });
  return fmt::format("{}/{}{}", passed, wanted_cases(kernel), not_called(kernel.cases_not_called));
}

std::string first_lines(const std::string& text, int lines) {
  std::size_t end = 0;
  for (int i = 0; i < lines && end != std::string::npos; ++i) end = text.find('\n', end + (i > 0));
  return end == std::string::npos ? text : text.substr(0, end) + "\n  ...";
}

}  // namespace

std::string format_time(double microseconds) {
  if (!std::isfinite(microseconds)) return "-";
  const auto figures = [](double value, const char* unit) {
    const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, decimals, unit);
  };
  if (microseconds < 1e3) return figures(microseconds, "us");
  if (microseconds < 1e6) return figures(microseconds / 1e3, "ms");
  return figures(microseconds / 1e6, "s");
}

std::string summary_table(const std::vector<KernelRecord>& kernels) {
  Table table({"task", "direction", "kernel", "verdict", "cases", "kernel time", "eager time",
               "speed-up", "95 % interval"});
  for (const KernelRecord& kernel : kernels) {
    const auto [speedup, interval] = mean_speedup(kernel);
    table.add({kernel.entry.task, std::string(to_string(kernel.entry.direction)), kernel.name,
               label(kernel), cases(kernel), mean_time(kernel, "kernel"),
               mean_time(kernel, "eager"), speedup, interval});
  }
  return table.console();
}

std::string timing_table(const KernelRecord& kernel) {
  const bool rooflines = std::any_of(kernel.timings.begin(), kernel.timings.end(),
                                     [](const TimingRecord& t) { return t.roofline_us > 0; });
  std::vector<std::string> header{"config",   "against",       "kernel time", "its time",
                                  "speed-up", "95 % interval", "call"};
  if (rooflines) header.emplace_back("kernel's share of its roofline");
  Table table(header);
  for (const SpeedupRecord& s : kernel.speedups) {
    const TimingRecord& own = *find_timing(kernel, s.config, "kernel");
    const TimingRecord& baseline = *find_timing(kernel, s.config, s.against);
    std::vector<std::string> row{s.config,
                                 s.against,
                                 format_time(own.median_us),
                                 format_time(baseline.median_us),
                                 fmt::format("{:.2f}x", s.ratio),
                                 fmt::format("{:.2f}..{:.2f}", s.ci_low, s.ci_high),
                                 in_words(s)};
    if (rooflines) {
      row.push_back(
          fmt::format("{:.0f} % ({})", 100 * own.roofline_us / own.median_us, own.roofline));
    }
    table.add(row);
  }
  return table.console();
}

std::string estimate_table(const KernelRecord& kernel) {
  std::vector<EstimateRecord> all;
  for (const TimingRecord& t : kernel.timings) {
    const auto add = [&](const char* estimator, double time_us) {
      all.push_back({.config = t.config,
                     .subject = t.subject,
                     .estimator = estimator,
                     .time_us = time_us,
                     .note = {}});
    };
    add("robust", t.median_us);
    add("hot", t.hot_us);
    add("latency", t.latency_us);
  }
  all.insert(all.end(), kernel.estimates.begin(), kernel.estimates.end());
  const auto distinct = [&](auto field) {
    std::vector<std::string> values;
    for (const EstimateRecord& e : all) {
      if (std::find(values.begin(), values.end(), e.*field) == values.end()) {
        values.push_back(e.*field);
      }
    }
    return values;
  };
  const std::vector<std::string> subjects = distinct(&EstimateRecord::subject);
  std::vector<std::string> header{"config", "estimator"};
  header.insert(header.end(), subjects.begin(), subjects.end());
  header.emplace_back("of the kernel");
  Table table(header);
  for (const std::string& config : distinct(&EstimateRecord::config)) {
    for (const std::string& estimator : distinct(&EstimateRecord::estimator)) {
      std::vector<std::string> row{config, estimator};
      std::string note;
      for (const std::string& subject : subjects) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const EstimateRecord& e) {
          return e.config == config && e.estimator == estimator && e.subject == subject;
        });
        const bool timed = found != all.end() && found->time_us > 0;
        row.push_back(timed ? format_time(found->time_us) : "-");
        if (found != all.end() && subject == "kernel") note = first_lines(found->note, 1);
      }
      row.push_back(note);
      table.add(row);
    }
  }
  return table.console();
}

std::string rejections(const std::vector<KernelRecord>& kernels) {
  std::string text;
  for (const KernelRecord& kernel : kernels) {
    if (kernel.verdict == Verdict::pass) continue;
    const std::string& reason =
        kernel.verdict == Verdict::skipped ? kernel.skipped_reason : kernel.reason;
    text += fmt::format("{}.{}: {}\n  {}\n", kernel.entry.name(), kernel.name, label(kernel),
                        first_lines(reason, 12));
  }
  return text;
}

std::string totals(const std::vector<KernelRecord>& kernels) {
  std::size_t passed = 0;
  std::size_t skipped = 0;
  std::size_t cases = 0;
  std::size_t cases_passed = 0;
  int cases_not_called = 0;
  for (const KernelRecord& kernel : kernels) {
    passed += kernel.verdict == Verdict::pass;
    skipped += kernel.verdict == Verdict::skipped;
    cases += wanted_cases(kernel);
    cases_not_called += kernel.cases_not_called;
    for (const CaseRecord& c : kernel.cases) cases_passed += c.verdict == Verdict::pass;
  }
  return fmt::format("{} kernels: {} passed, {} rejected, {} skipped; {} of {} cases passed{}",
                     kernels.size(), passed, kernels.size() - passed - skipped, skipped,
                     cases_passed, cases, not_called(cases_not_called));
}

}  // namespace robust_kbench
