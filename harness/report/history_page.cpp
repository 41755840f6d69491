#include "report/history_page.hpp"

#include <string>
#include <utility>

#include "core/counted.hpp"
#include "report/page_blocks.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::string step_text(bool is_step, double before, double after) {
  if (!is_step) return "";
  return after > before ? "up" : "down";
}

TableBlock point_table(const KernelHistory& history) {
  TableBlock table({"file", "date", "speed-up over eager", "95 % interval", "step of it", "time",
                    "low", "high", "step of it", "machine"});
  for (std::size_t i = 0; i < history.points.size(); ++i) {
    const HistoryPoint& p = history.points[i];
    const HistoryPoint& before = history.points[i == 0 ? 0 : i - 1];
    table.add({p.name, p.date, ratio_cell(p.speedup), interval_cell(p.speedup_interval),
               step_text(p.is_speedup_step, before.speedup, p.speedup), time_cell(p.time_us),
               time_cell(p.time_interval.low), time_cell(p.time_interval.high),
               step_text(p.is_time_step, before.time_us, p.time_us), p.machine});
  }
  return table;
}

struct Figure {
  const char* name;
  double HistoryPoint::*value;
  Interval HistoryPoint::*interval;
  bool HistoryPoint::*is_step;
};

nlohmann::json history_chart(const KernelHistory& history, const Figure& figure) {
  nlohmann::json names = nlohmann::json::array();
  nlohmann::json points = nlohmann::json::array();
  nlohmann::json marks = nlohmann::json::array();
  for (std::size_t i = 0; i < history.points.size(); ++i) {
    const HistoryPoint& p = history.points[i];
    const Interval& interval = p.*figure.interval;
    names.push_back(p.name);
    points.push_back({i, p.*figure.value, interval.low, interval.high, p.name + " " + p.date});
    if (p.*figure.is_step) marks.push_back(i);
  }
  return {
      {"type", "lines"},
      {"x", {{"name", ""}, {"categories", std::move(names)}}},
      {"y", {{"name", figure.name}}},
      {"series", nlohmann::json::array(
                     {{{"name", figure.name}, {"points", points}, {"marks", std::move(marks)}}})}};
}

nlohmann::json history_blocks(const std::vector<KernelHistory>& histories) {
  constexpr Figure speedup{"speed-up over eager", &HistoryPoint::speedup,
                           &HistoryPoint::speedup_interval, &HistoryPoint::is_speedup_step};
  constexpr Figure time{"time, us", &HistoryPoint::time_us, &HistoryPoint::time_interval,
                        &HistoryPoint::is_time_step};
  std::vector<ChoiceItem> items;
  for (const KernelHistory& history : histories) {
    const TableBlock table = point_table(history);
    items.push_back(
        {.name = history.kernel,
         .target = history.kernel,
         .blocks = nlohmann::json::array({chart_block(history_chart(history, speedup), table),
                                          chart_block(history_chart(history, time), table)})});
  }
  if (items.empty()) return nlohmann::json::array();
  return nlohmann::json::array(
      {text_block("Dotted lines are the 95 % intervals. A pin marks a step: the interval lies "
                  "apart from the one before.",
                  "note"),
       choice_block("Kernel", items)});
}

}  // namespace

nlohmann::json history_page(const std::vector<KernelHistory>& histories, std::size_t files) {
  TableBlock steps(
      {"kernel", "from", "to", "interval before", "interval after", "the kernel became"});
  for (const KernelHistory& history : histories) {
    for (std::size_t i = 1; i < history.points.size(); ++i) {
      const HistoryPoint& before = history.points[i - 1];
      const HistoryPoint& after = history.points[i];
      if (!after.is_speedup_step) continue;
      const bool is_faster = after.speedup > before.speedup;
      steps.add({link_cell(history.kernel, history.kernel), before.name, after.name,
                 interval_cell(before.speedup_interval), interval_cell(after.speedup_interval),
                 verdict_cell(is_faster ? "faster" : "slower", is_faster ? "pass" : "slower")});
    }
  }
  nlohmann::json sections = nlohmann::json::array(
      {page_section("steps", "Steps of speed-ups",
                    nlohmann::json::array(
                        {steps.empty() ? text_block("No speed-up has changed.") : steps.json()}))});
  nlohmann::json kernels = history_blocks(histories);
  if (!kernels.empty()) sections.push_back(page_section("kernel", "One kernel", kernels));
  const std::string summary = fmt::format("Kernels that were timed in more than one of {}: {}.",
                                          counted(files, "file"), histories.size());
  return {{"title", "History"},
          {"summary", nlohmann::json::array({text_block(summary, "headline")})},
          {"sections", std::move(sections)},
          {"texts", nlohmann::json::array()}};
}

}  // namespace robust_kbench
