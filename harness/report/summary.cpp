#include "report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/counted.hpp"
#include "core/coverage.hpp"
#include "core/speedup.hpp"
#include "core/statistics.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::size_t shown_reason_lines = 24;
constexpr std::size_t shown_output_lines = 10;

std::string mean_time(const KernelRecord& kernel, const std::string& subject) {
  std::vector<double> medians;
  for (const ConfigTimingRecord& config : kernel.timings) {
    if (const TimingRecord* timing = config.find(subject)) medians.push_back(timing->median_us);
  }
  return medians.empty() ? "-" : format_time(geometric_mean(medians));
}

std::string interval(const SpeedupRecord& speedup) {
  return interval_text({speedup.ci_low, speedup.ci_high});
}

const SpeedupRecord* find(const std::vector<SpeedupRecord>& speedups, const std::string& against) {
  const auto found = std::ranges::find(speedups, against, &SpeedupRecord::against);
  return found == speedups.end() ? nullptr : &*found;
}

// The row of means in a table of timings. It covers the configs with a speed-up over
// `mean.against`.
std::vector<std::string> mean_row(const KernelRecord& kernel, const SpeedupRecord& mean) {
  std::vector<double> own;
  std::vector<double> others;
  for (const ConfigTimingRecord& config : kernel.timings) {
    if (find(config.speedups, mean.against) == nullptr) continue;
    own.push_back(config.subjects.front().median_us);
    others.push_back(config.find(mean.against)->median_us);
  }
  if (own.empty()) return {};
  return {"all configs",
          mean.against,
          format_time(geometric_mean(own)),
          format_time(geometric_mean(others)),
          ratio_text(mean.ratio),
          interval(mean),
          in_words(mean)};
}

// The number of processors that other processes kept busy, where this disturbed a config. Empty on
// a GPU, which it never disturbs.
std::string busy_text(const KernelRecord& kernel) {
  if (kernel.device == Device::cuda) return "";
  double most = 0;
  for (const ConfigTimingRecord& config : kernel.timings) {
    if (!config.disturbance.empty()) most = std::max(most, config.busy_cpus.value_or(0));
  }
  return most == 0 ? "" : fmt::format("; others kept up to {:.1f} processors busy", most);
}

bool is_rival(const KernelRecord& kernel, const std::string& name) {
  return std::ranges::find(kernel.rivals, name, &RivalRecord::name) != kernel.rivals.end();
}

std::size_t wanted_cases(const KernelRecord& kernel) {
  return kernel.cases.size() + static_cast<std::size_t>(kernel.cases_not_called);
}

std::string not_called(int cases) {
  return cases == 0 ? "" : fmt::format(", {} not called", cases);
}

std::string refused(std::size_t cases) {
  return cases == 0 ? "" : fmt::format(", {} refused", cases);
}

std::string aligned(const std::optional<int>& bytes) {
  return bytes ? fmt::format("needs inputs aligned to {} bytes", *bytes) : "";
}

std::string share_of_roofline(const ConfigTimingRecord& config) {
  if (!config.roofline) return "-";
  const double share = config.roofline->us / config.subjects.front().median_us;
  return fmt::format("{:.0f} % ({})", 100 * share, config.roofline->bound);
}

std::string replayed_text(const SpeedupRecord& speedup) {
  return speedup.replayed ? ratio_text(*speedup.replayed) : "-";
}

bool has_replays(const std::vector<SpeedupRecord>& speedups) {
  return std::ranges::any_of(
      speedups, [](const SpeedupRecord& speedup) { return speedup.replayed.has_value(); });
}

// The speed-up over eager, as summary_table() shows it: ratio, interval and the ratio by replays.
std::vector<std::string> cells_over_eager(const KernelRecord& kernel, bool replays) {
  const SpeedupRecord* const speedup = find(kernel.mean_speedups, "eager");
  std::vector<std::string> cells{"-", "-"};
  const bool too_slow = kernel.timings.empty() && !kernel.timing_note.empty();
  if (too_slow) cells.front() = "too slow to time";
  if (speedup != nullptr) cells = {ratio_text(speedup->ratio), interval(*speedup)};
  if (replays) cells.push_back(speedup != nullptr ? replayed_text(*speedup) : "-");
  return cells;
}

// The values of one field in the order in which they first appear.
std::vector<std::string> distinct(const std::vector<EstimateRecord>& estimates,
                                  std::string EstimateRecord::*field) {
  std::vector<std::string> values;
  for (const EstimateRecord& estimate : estimates) {
    if (std::find(values.begin(), values.end(), estimate.*field) == values.end()) {
      values.push_back(estimate.*field);
    }
  }
  return values;
}

std::string first_lines(const std::string& text, int lines) {
  std::size_t end = 0;
  for (int i = 0; i < lines && end != std::string::npos; ++i) end = text.find('\n', end + (i > 0));
  return end == std::string::npos ? text : text.substr(0, end) + "\n  ...";
}

// At most `most` lines: the first ones and the last, which tells how to replay a failure.
std::vector<std::string> shortened(std::vector<std::string> lines, std::size_t most) {
  if (lines.size() <= most) return lines;
  const std::size_t left_out = lines.size() - (most - 1);
  const auto cut = lines.begin() + static_cast<std::ptrdiff_t>(most - 2);
  lines.erase(cut, cut + static_cast<std::ptrdiff_t>(left_out));
  lines.insert(cut, fmt::format("... ({} lines, which --json has)", left_out));
  return lines;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string indented(const std::vector<std::string>& lines, const std::string& by) {
  std::string text;
  for (const std::string& line : lines) text += line.empty() ? "\n" : by + line + "\n";
  return text;
}

std::string last_output(const std::string& output) {
  std::vector<std::string> lines = lines_of(output);
  if (lines.empty()) return {};
  if (lines.size() > shown_output_lines) {
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(shown_output_lines));
  }
  return "  its last output:\n" + indented(lines, "  | ");
}

// Where the kernel was judged.
std::string judged_text(const JudgedRecord& judged) {
  if (judged.by_replay) return "judged by a replay without its host code";
  return "judged in its own process, since it cannot be replayed: " + judged.reason;
}

}  // namespace

std::size_t refusals(const KernelRecord& kernel) {
  return static_cast<std::size_t>(
      std::ranges::count_if(kernel.cases, [](const CaseRecord& c) { return c.refused; }));
}

std::optional<int> needed_alignment(const KernelRecord& kernel) {
  std::optional<int> most;
  for (const CaseRecord& c : kernel.cases) most = std::max(most, c.needs_alignment);
  return most;
}

std::string cases_text(const KernelRecord& kernel) {
  const auto passed = std::count_if(kernel.cases.begin(), kernel.cases.end(),
                                    [](const CaseRecord& c) { return c.judgement.passes(); });
  const std::string needs = aligned(needed_alignment(kernel));
  return fmt::format("{}/{}{}{}{}", passed, wanted_cases(kernel), refused(refusals(kernel)),
                     not_called(kernel.cases_not_called), needs.empty() ? "" : ", " + needs);
}

std::string range_over_configs(const KernelRecord& kernel) {
  std::vector<double> ratios;
  for (const ConfigTimingRecord& config : kernel.timings) {
    const SpeedupRecord* const speedup = find(config.speedups, "eager");
    if (speedup != nullptr) ratios.push_back(speedup->ratio);
  }
  if (ratios.empty()) return "-";
  const auto [least, greatest] = std::ranges::minmax(ratios);
  return interval_text({least, greatest});
}

std::vector<EstimateRecord> all_estimates(const ConfigTimingRecord& config) {
  std::vector<EstimateRecord> all;
  for (const TimingRecord& t : config.subjects) {
    const auto add = [&](const char* estimator, double time_us) {
      all.push_back({.subject = t.subject, .estimator = estimator, .time_us = time_us, .note = {}});
    };
    add("robust", t.median_us);
    add("hot", t.hot_us);
    add("latency", t.latency_us);
  }
  all.insert(all.end(), config.estimates.begin(), config.estimates.end());
  return all;
}

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

Table summary_table(const std::vector<KernelRecord>& kernels) {
  const bool replays = std::ranges::any_of(
      kernels, [](const KernelRecord& kernel) { return has_replays(kernel.mean_speedups); });
  std::vector<std::string> header{"task",     "direction",    "kernel",      "verdict",
                                  "scope",    "cases",        "kernel time", "eager time",
                                  "speed-up", "95 % interval"};
  if (replays) header.emplace_back("replayed");
  header.insert(header.end(), {"of configs", "asks for"});
  Table table(header);
  for (const KernelRecord& kernel : kernels) {
    std::vector<std::string> row{kernel.entry.task,
                                 std::string(to_string(kernel.entry.direction)),
                                 kernel.name,
                                 label(kernel.judgement),
                                 std::string(to_string(kernel.coverage)),
                                 cases_text(kernel),
                                 mean_time(kernel, "kernel"),
                                 mean_time(kernel, "eager")};
    for (std::string& cell : cells_over_eager(kernel, replays)) row.push_back(std::move(cell));
    row.push_back(range_over_configs(kernel));
    row.push_back(used_capabilities(kernel.build.uses));
    table.add(row);
  }
  return table;
}

Table timing_table(const KernelRecord& kernel) {
  const bool rooflines =
      std::any_of(kernel.timings.begin(), kernel.timings.end(),
                  [](const ConfigTimingRecord& config) { return config.roofline.has_value(); });
  std::vector<std::string> header{"config",   "against",       "kernel time", "other's time",
                                  "speed-up", "95 % interval", "result"};
  const bool replays = std::ranges::any_of(kernel.timings, [](const ConfigTimingRecord& config) {
    return has_replays(config.speedups);
  });
  if (replays) header.emplace_back("replayed");
  if (rooflines) header.emplace_back("kernel's share of its roofline");
  Table table(header);
  for (const ConfigTimingRecord& config : kernel.timings) {
    const TimingRecord& own = config.subjects.front();
    for (const SpeedupRecord& speedup : config.speedups) {
      std::vector<std::string> row{config.config,
                                   speedup.against,
                                   format_time(own.median_us),
                                   format_time(config.find(speedup.against)->median_us),
                                   ratio_text(speedup.ratio),
                                   interval(speedup),
                                   in_words(speedup)};
      if (replays) row.push_back(replayed_text(speedup));
      if (rooflines) row.push_back(share_of_roofline(config));
      table.add(row);
    }
  }
  if (kernel.timings.size() < 2) return table;
  for (const SpeedupRecord& mean : kernel.mean_speedups) {
    std::vector<std::string> row = mean_row(kernel, mean);
    if (row.empty()) continue;
    if (replays) row.push_back(replayed_text(mean));
    if (rooflines) row.emplace_back("-");
    table.add(row);
  }
  return table;
}

Table estimate_table(const KernelRecord& kernel) {
  std::vector<EstimateRecord> all;
  for (const ConfigTimingRecord& config : kernel.timings) {
    for (EstimateRecord& estimate : all_estimates(config)) all.push_back(std::move(estimate));
  }
  const std::vector<std::string> subjects = distinct(all, &EstimateRecord::subject);
  std::vector<std::string> header{"config", "estimator"};
  header.insert(header.end(), subjects.begin(), subjects.end());
  header.emplace_back("of the kernel");
  Table table(header);
  for (const ConfigTimingRecord& config : kernel.timings) {
    const std::vector<EstimateRecord> estimates = all_estimates(config);
    for (const std::string& estimator : distinct(all, &EstimateRecord::estimator)) {
      std::vector<std::string> row{config.config, estimator};
      std::string note;
      for (const std::string& subject : subjects) {
        const EstimateRecord* const found = find_estimate(estimates, estimator, subject);
        const bool timed = found != nullptr && found->time_us > 0;
        row.push_back(timed ? format_time(found->time_us) : "-");
        if (found != nullptr && subject == "kernel") note = first_lines(found->note, 1);
      }
      row.push_back(note);
      table.add(row);
    }
  }
  return table;
}

std::string refused_cases(const KernelRecord& kernel) {
  std::string text;
  for (const CaseRecord& c : kernel.cases) {
    if (c.refused) text += (c.asks.empty() ? c.name : c.asks) + "\n";
  }
  return text;
}

std::string remarks(const std::vector<KernelRecord>& kernels) {
  std::string text;
  for (const KernelRecord& kernel : kernels) {
    const std::string name = kernel.entry.name() + "." + kernel.name;
    for (const SpeedupRecord& mean : kernel.mean_speedups) {
      if (mean.doubt.empty() && !is_rival(kernel, mean.against)) continue;
      text += fmt::format("{}: {}, {} (95 % interval {}{})\n", name, in_words(mean),
                          ratio_text(mean.ratio), interval(mean), busy_text(kernel));
    }
    for (const RivalRecord& rival : kernel.rivals) {
      if (rival.judgement.passes()) continue;
      text +=
          fmt::format("{}: no race against {}: {}\n", name, rival.name, label(rival.judgement)) +
          indented(shortened(lines_of(rival.judgement.reason), shown_reason_lines), "  ");
    }
    const std::string needs = aligned(needed_alignment(kernel));
    if (!needs.empty()) text += fmt::format("{}: {}\n", name, needs);
    for (const std::string& line : lines_of(kernel.timing_note)) {
      text += fmt::format("{}: {}\n", name, line);
    }
    if (kernel.judged) text += fmt::format("{}: {}\n", name, judged_text(*kernel.judged));
  }
  return text;
}

std::string rejections(const std::vector<KernelRecord>& kernels) {
  std::string text;
  for (const KernelRecord& kernel : kernels) {
    if (kernel.judgement.passes()) continue;
    text += fmt::format("{}.{}: {}\n", kernel.entry.name(), kernel.name, label(kernel.judgement)) +
            indented(shortened(lines_of(kernel.judgement.reason), shown_reason_lines), "  ") +
            last_output(kernel.judgement.output);
  }
  return text;
}

std::string printed_text(const KernelRecord& kernel) {
  std::string text;
  for (const CaseRecord& c : kernel.cases) {
    if (c.judgement.output.empty()) continue;
    text += c.name + "\n" + indented(lines_of(c.judgement.output), "  | ");
  }
  return text;
}

std::string totals(const std::vector<KernelRecord>& kernels) {
  std::size_t passed = 0;
  std::size_t skipped = 0;
  std::size_t cases = 0;
  std::size_t cases_passed = 0;
  std::size_t cases_refused = 0;
  int cases_not_called = 0;
  for (const KernelRecord& kernel : kernels) {
    passed += kernel.judgement.passes();
    skipped += kernel.judgement.verdict == Verdict::skipped;
    cases += wanted_cases(kernel);
    cases_refused += refusals(kernel);
    cases_not_called += kernel.cases_not_called;
    for (const CaseRecord& c : kernel.cases) cases_passed += c.judgement.passes();
  }
  return fmt::format("{}: {} passed, {} rejected, {} skipped; {} of {} passed{}{}",
                     counted(kernels.size(), "kernel"), passed, kernels.size() - passed - skipped,
                     skipped, cases_passed, counted(cases, "case"), refused(cases_refused),
                     not_called(cases_not_called));
}

}  // namespace robust_kbench
