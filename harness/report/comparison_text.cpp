#include "report/comparison_text.hpp"

#include <algorithm>
#include <vector>

#include "core/counted.hpp"
#include "core/speedup.hpp"
#include "core/utf8.hpp"
#include "report/markdown_text.hpp"
#include "report/summary.hpp"
#include "report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

constexpr std::size_t shown_cases = 5;  // of one kernel whose verdicts have changed

std::string beyond_text(const MeasurementComparison& comparison) {
  return fmt::format("beyond {:.4g} %", 100 * comparison.threshold);
}

std::string result_text(const MeasurementComparison& comparison, const SpeedupRecord& change,
                        bool beyond) {
  return in_words(change) + (beyond ? ", " + beyond_text(comparison) : "");
}

std::string interval_of(const SpeedupRecord& change) {
  return interval_text({change.ci_low, change.ci_high});
}

// The time of one side, or its speed-up where that is compared.
std::string figure(const ComparedCase& c, double us, double speedup) {
  if (c.basis != Basis::speedups) return format_time(us);
  return ratio_text(speedup) + " " + c.baseline;
}

std::vector<std::string> case_row(const MeasurementComparison& comparison,
                                  const ComparedKernel& kernel, const ComparedCase& c) {
  return {kernel.name,
          c.config.empty() ? "-" : c.config,
          figure(c, c.base_us, c.base_speedup),
          figure(c, c.contender_us, c.contender_speedup),
          ratio_text(c.change.ratio),
          interval_of(c.change),
          result_text(comparison, c.change, c.beyond)};
}

Table cases_table(const MeasurementComparison& comparison) {
  Table table({"kernel", "config", "base", "contender", "speed-up", "95 % interval", "result"});
  for (const ComparedKernel& kernel : comparison.kernels) {
    for (const ComparedCase& c : kernel.cases) table.add(case_row(comparison, kernel, c));
    if (kernel.cases.size() < 2) continue;
    table.add({kernel.name, "all configs", "-", "-", ratio_text(kernel.mean.ratio),
               interval_of(kernel.mean), result_text(comparison, kernel.mean, kernel.beyond)});
  }
  return table;
}

Table kernels_table(const MeasurementComparison& comparison) {
  Table table({"kernel", "configs", "speed-up", "95 % interval", "result"});
  for (const ComparedKernel& kernel : comparison.kernels) {
    table.add({kernel.name, std::to_string(kernel.cases.size()), ratio_text(kernel.mean.ratio),
               interval_of(kernel.mean), result_text(comparison, kernel.mean, kernel.beyond)});
  }
  return table;
}

// Changes of a kernel's cases beyond the first few are counted.
Table verdicts_table(const MeasurementComparison& comparison, std::size_t& left_out) {
  Table table({"kernel", "case", "base", "contender", "change"});
  std::map<std::string, std::size_t> shown;
  for (const VerdictChange& change : comparison.verdicts) {
    if (!change.case_name.empty() && shown[change.kernel]++ >= shown_cases) {
      ++left_out;
      continue;
    }
    table.add({change.kernel, change.case_name.empty() ? "all of it" : change.case_name,
               label(change.base), label(change.contender),
               change.is_worse() ? "worse" : "better"});
  }
  return table;
}

std::string left_out_text(std::size_t left_out) {
  if (left_out == 0) return "";
  return fmt::format("... and {} more, which --json has\n", left_out);
}

// The first line of the reason for each kernel that became worse.
std::string reasons(const MeasurementComparison& comparison) {
  constexpr std::size_t most_bytes = 200;
  std::string text;
  for (const VerdictChange& change : comparison.verdicts) {
    if (!change.is_worse() || !change.case_name.empty()) continue;
    if (change.contender.reason.empty()) continue;
    text += change.kernel + ": " + first_line(change.contender.reason, most_bytes) + "\n";
  }
  return text;
}

// How the two sides were measured, one remark a line.
std::string machines_text(const MeasurementComparison& comparison) {
  const auto any = [&](Basis basis) {
    return std::ranges::any_of(comparison.kernels, [&](const ComparedKernel& kernel) {
      return std::ranges::any_of(kernel.cases,
                                 [&](const ComparedCase& c) { return c.basis == basis; });
    });
  };
  std::string text =
      fmt::format("base: {}, on {}\ncontender: {}, on {}\n", comparison.base,
                  comparison.base_machines, comparison.contender, comparison.contender_machines);
  if (any(Basis::race)) text += "Both took turns in one run.\n";
  if (any(Basis::speedups)) {
    text += "The machines differ, so speed-ups over baselines are compared instead of times.\n";
  }
  return text;
}

std::string counts_text(const MeasurementComparison& comparison) {
  std::map<RatioCall, std::size_t> calls;
  std::size_t beyond = 0;
  std::size_t cases = 0;
  for (const ComparedKernel& kernel : comparison.kernels) {
    for (const ComparedCase& c : kernel.cases) {
      ++calls[c.change.call];
      beyond += c.beyond;
      ++cases;
    }
  }
  return fmt::format(
      "{} timed on both sides: {} faster, {} slower ({} {}), {} the same, {} not "
      "told apart",
      counted(cases, "case"), calls[RatioCall::faster], calls[RatioCall::slower], beyond,
      beyond_text(comparison), calls[RatioCall::same], calls[RatioCall::ambiguous]);
}

std::string mean_text(const MeasurementComparison& comparison) {
  const SpeedupRecord& mean = *comparison.mean;
  return fmt::format("geometric mean: {}, 95 % interval {}: {}", ratio_text(mean.ratio),
                     interval_of(mean), in_words(mean));
}

std::string not_compared_text(const MeasurementComparison& comparison) {
  std::string text;
  for (const NotCompared& what : comparison.not_compared) {
    text += fmt::format("{}: not compared: {}\n", what.name, first_line(what.why));
  }
  return text;
}

}  // namespace

std::string conclusion(const MeasurementComparison& comparison) {
  std::vector<std::string> worse;
  const auto verdicts = std::ranges::count_if(comparison.verdicts, &VerdictChange::is_worse);
  std::size_t times = 0;
  std::size_t ambiguous = 0;
  for (const ComparedKernel& kernel : comparison.kernels) {
    ambiguous += static_cast<std::size_t>(std::ranges::count_if(
        kernel.cases, [](const ComparedCase& c) { return c.change.call == RatioCall::ambiguous; }));
    const auto cases = std::ranges::count_if(kernel.cases, &ComparedCase::beyond);
    times += static_cast<std::size_t>(cases);
    if (cases == 0) times += kernel.beyond;
  }
  if (verdicts > 0) worse.push_back(counted(static_cast<std::size_t>(verdicts), "verdict"));
  if (times > 0) worse.push_back(counted(times, "time") + " " + beyond_text(comparison));
  if (!worse.empty()) return fmt::format("worse: {}", fmt::join(worse, ", "));
  const std::string compared = counted(comparison.in_both, "kernel") + " compared";
  return "not worse: " + compared +
         (ambiguous == 0 ? "" : ", " + counted(ambiguous, "case") + " not told apart");
}

std::string comparison_console(const MeasurementComparison& comparison) {
  std::string text = machines_text(comparison);
  if (!comparison.verdicts.empty()) {
    std::size_t left_out = 0;
    text += "\n" + verdicts_table(comparison, left_out).console() + left_out_text(left_out) +
            reasons(comparison);
  }
  if (comparison.mean) {
    text += "\n" + cases_table(comparison).console() + "\n" + counts_text(comparison) + "\n" +
            mean_text(comparison) + "\n";
  }
  return text + not_compared_text(comparison) + conclusion(comparison) + "\n";
}

std::string comparison_markdown(const MeasurementComparison& comparison) {
  std::string text = "### Compared with " + markdown_code(comparison.base) + ": " +
                     conclusion(comparison) + "\n\n";
  if (!comparison.verdicts.empty()) {
    std::size_t left_out = 0;
    text += verdicts_table(comparison, left_out).markdown() + "\n" + left_out_text(left_out);
    if (const std::string why = reasons(comparison); !why.empty()) text += markdown_block(why);
    text += "\n";
  }
  if (comparison.mean) {
    text += kernels_table(comparison).markdown() + "\n" + counts_text(comparison) + "; " +
            mean_text(comparison) + ".\n\n<details><summary>All cases</summary>\n\n" +
            cases_table(comparison).markdown() + "\n</details>\n\n";
  }
  return text + markdown_block(machines_text(comparison) + not_compared_text(comparison));
}

}  // namespace robust_kbench
