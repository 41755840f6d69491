#include "report/kernel_blocks.hpp"

#include <algorithm>
#include <string>

#include "core/capability.hpp"
#include "core/speedup.hpp"
#include "report/page_blocks.hpp"
#include "report/sample_chart.hpp"
#include "report/summary.hpp"
#include "report/verdict_blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

// Dots of all kernels together. More would make the page larger than its readers wait for.
constexpr std::size_t dots_of_page = 60'000;
constexpr std::size_t most_dots = 100;  // of one distribution
constexpr std::size_t least_dots = 10;  // fewer say less than the box

std::size_t dots_of_each(const std::vector<KernelRecord>& records) {
  std::size_t distributions = 0;
  for (const KernelRecord& record : records) distributions += distributions_of(record);
  if (distributions == 0) return 0;
  const std::size_t dots = std::min(most_dots, dots_of_page / distributions);
  return dots < least_dots ? 0 : dots;
}

nlohmann::json times_cell(const Interval& us) {
  return number_cell(us.low, format_time(us.low) + " .. " + format_time(us.high));
}

TableBlock timings_of(const KernelRecord& record) {
  TableBlock table({"config", "subject", "time", "95 % interval", "quartiles", "speed-up over it",
                    "95 % interval", "result", "workers", "samples", "dropped", "checked calls",
                    "ended by"});
  for (const ConfigTimingRecord& config : record.timings) {
    for (const TimingRecord& t : config.subjects) {
      std::vector<nlohmann::json> row{config.config, t.subject, time_cell(t.median_us),
                                      times_cell({t.ci_low_us, t.ci_high_us}),
                                      times_cell({t.quartile_low_us, t.quartile_high_us})};
      const auto over = std::ranges::find(config.speedups, t.subject, &SpeedupRecord::against);
      const bool has_speedup = over != config.speedups.end();
      row.push_back(has_speedup ? ratio_cell(over->ratio) : nlohmann::json());
      row.push_back(has_speedup ? interval_cell({over->ci_low, over->ci_high}) : nlohmann::json());
      row.push_back(has_speedup ? nlohmann::json(in_words(*over)) : nlohmann::json());
      for (const int count : {t.workers, t.samples, t.dropped, t.verified_calls}) {
        row.push_back(count_cell(count));
      }
      row.emplace_back(std::string(to_string(t.stopped_by)));
      table.add(std::move(row));
    }
  }
  return table;
}

// Only a GPU's records have other estimates than ours.
TableBlock estimates_of(const KernelRecord& record) {
  TableBlock table({"config", "subject", "estimator", "time", "remark"});
  for (const ConfigTimingRecord& config : record.timings) {
    for (const EstimateRecord& estimate : all_estimates(config)) {
      if (estimate.estimator == "robust") continue;
      if (!(estimate.time_us > 0) && estimate.note.empty()) continue;
      table.add({config.config, estimate.subject, estimate.estimator,
                 estimate.time_us > 0 ? time_cell(estimate.time_us) : nlohmann::json(),
                 estimate.note});
    }
  }
  return table;
}

std::string build_facts(const KernelRecord& record) {
  std::string text = fmt::format("{}: {}, {} tests, {} cases", record.path, label(record.judgement),
                                 to_string(record.coverage), cases_text(record));
  if (!record.build.compiler.empty()) text += "; compiled by " + record.build.compiler;
  if (!record.build.flags.empty()) {
    text += fmt::format(" with {}", fmt::join(record.build.flags, " "));
  }
  return text + ".";
}

nlohmann::json blocks_of_kernel(const KernelRecord& record, std::size_t dots) {
  nlohmann::json blocks = nlohmann::json::array({text_block(build_facts(record), "note")});
  if (!record.judgement.passes() && !record.judgement.reason.empty()) {
    blocks.push_back(output_block(record.judgement.reason));
  }
  const std::string notes = remarks({record});
  if (!notes.empty()) blocks.push_back(output_block(notes));
  if (record.timings.empty()) return blocks;
  blocks.push_back(chart_block(sample_chart(record, dots), timings_of(record)));
  const TableBlock estimates = estimates_of(record);
  if (!estimates.empty()) {
    blocks.push_back(heading_block("By other estimators, for comparison"));
    blocks.push_back(estimates.json());
  }
  return blocks;
}

}  // namespace

nlohmann::json kernel_blocks(const std::vector<KernelRecord>& records) {
  const std::size_t dots = dots_of_each(records);
  std::vector<ChoiceItem> items;
  for (std::size_t i = 0; i < records.size(); ++i) {
    items.push_back({.name = kernel_title(records[i]) + ", " + label(records[i].judgement),
                     .target = kernel_target(i),
                     .blocks = blocks_of_kernel(records[i], dots)});
  }
  if (items.empty()) return nlohmann::json::array();
  return nlohmann::json::array(
      {text_block("Each dot is a sample, the mean of one batch of calls. The boxes are the "
                  "quartiles of all samples, and the lines reach to the least and the greatest.",
                  "note"),
       choice_block("Kernel", items)});
}

}  // namespace robust_kbench
