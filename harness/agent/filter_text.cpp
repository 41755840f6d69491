#include "agent/filter_text.hpp"

#include <algorithm>

#include "core/counted.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.3g}", *value) : "inf";
}

std::string cell(const TaskVerdict& verdict, Filter filter, Direction direction) {
  for (const FilterResult& result : verdict.results) {
    if (result.filter != filter || result.direction != direction) continue;
    if (result.status == FilterStatus::skipped) return "skipped";
    return (result.status == FilterStatus::caught ? "CAUGHT " : "") + number(result.value);
  }
  return "";
}

bool is_looked_at(const TaskVerdict& verdict, Direction direction) {
  return std::ranges::find(verdict.results, direction, &FilterResult::direction) !=
         verdict.results.end();
}

std::string compared(const FilterResult& result) {
  if (result.status == FilterStatus::skipped) return ": " + result.reason;
  const std::string numbers =
      fmt::format(": {}, threshold {}", number(result.value), number(result.threshold));
  return result.reason.empty() ? numbers : numbers + ": " + result.reason;
}

}  // namespace

std::string filter_table(const std::vector<TaskVerdict>& verdicts) {
  std::vector<std::string> header{"task", "direction"};
  for (const Filter filter : all_filters) header.emplace_back(to_string(filter));
  Table table(header);
  std::string reasons;
  std::size_t caught = 0;
  for (const TaskVerdict& verdict : verdicts) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      if (!is_looked_at(verdict, direction)) continue;
      std::vector<std::string> row{verdict.task, std::string(to_string(direction))};
      for (const Filter filter : all_filters) row.push_back(cell(verdict, filter, direction));
      table.add(row);
    }
    caught += verdict.caught() ? 1 : 0;
    for (const FilterResult& result : verdict.results) {
      if (result.status != FilterStatus::caught) continue;
      reasons += fmt::format("{} {} is caught by {}: {}\n", verdict.task,
                             to_string(result.direction), to_string(result.filter), result.reason);
    }
  }
  return fmt::format("{}{}{} of {} caught\n", table.console(), reasons, caught,
                     counted(verdicts.size(), "task"));
}

std::string filter_explanation(const TaskVerdict& verdict, int seeds) {
  std::string text;
  for (const FilterResult& result : verdict.results) {
    text += fmt::format("{} {}, {}{}\n  {}\n", verdict.task, to_string(result.direction),
                        to_string(result.filter), compared(result), meaning_of(result.filter));
    for (const Measurement& measured : result.measurements) {
      const bool is_null_kernel = result.filter == Filter::null_kernels;
      const std::string value = measured.value ? fmt::format(": {:.4g}{}", *measured.value,
                                                             is_null_kernel ? " off at most" : "")
                                               : "";
      text += fmt::format("    {}{}{}, on {}\n", measured.what, value,
                          measured.note.empty() ? "" : " (" + measured.note + ")", measured.where);
    }
  }
  return fmt::format("{}Seeds 1 to {} of each config.\n", text, seeds);
}

std::string speedup_means_text(const SpeedupMeans& means) {
  std::string text = fmt::format("speed-up {:.2f}x over {} (geometric mean)", means.mean,
                                 counted(means.tasks, "task"));
  if (!means.mean_not_caught) return text + "; every one of them is caught\n";
  return text + fmt::format("; {:.2f}x over the {} that no filter catches\n",
                            *means.mean_not_caught, means.tasks_not_caught);
}

}  // namespace robust_kbench
