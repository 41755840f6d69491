#include "report/csv_reporter.hpp"

#include <algorithm>
#include <cmath>

#include "core/csv_cell.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

using Row = std::vector<std::string>;

const Row header{"task",    "direction", "kernel",     "device",      "gpu",
                 "verdict", "scope",     "cases",      "passed",      "asks_for",
                 "config",  "kernel_us", "kernel_low", "kernel_high", "roofline_percent",
                 "against", "other_us",  "speedup",    "ci_low",      "ci_high",
                 "call",    "replayed"};

std::string number_cell(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

Row kernel_cells(const KernelRecord& record) {
  const auto passed =
      std::ranges::count_if(record.cases, [](const CaseRecord& c) { return c.judgement.passes(); });
  return {record.entry.task,
          std::string(to_string(record.entry.direction)),
          record.name,
          std::string(to_string(record.device)),
          record.gpu,
          label(record.judgement),
          std::string(to_string(record.coverage)),
          std::to_string(record.cases.size() + static_cast<std::size_t>(record.cases_not_called)),
          std::to_string(passed),
          used_capabilities(record.build.uses)};
}

void append(Row& row, const Row& cells) {
  row.insert(row.end(), cells.begin(), cells.end());
}

Row config_cells(const ConfigTimingRecord& config) {
  const TimingRecord& kernel = config.subjects.front();
  const double share = config.roofline ? 100 * config.roofline->us / kernel.median_us : NAN;
  return {config.config, number_cell(kernel.median_us), number_cell(kernel.ci_low_us),
          number_cell(kernel.ci_high_us), number_cell(share)};
}

Row speedup_cells(const ConfigTimingRecord& config, const SpeedupRecord& speedup) {
  return {speedup.against,
          number_cell(config.find(speedup.against)->median_us),
          number_cell(speedup.ratio),
          number_cell(speedup.ci_low),
          number_cell(speedup.ci_high),
          std::string(to_string(speedup.call)),
          speedup.replayed ? number_cell(*speedup.replayed) : ""};
}

std::string line_of(Row row) {
  row.resize(header.size());
  for (std::string& cell : row) cell = csv_cell(cell);
  return fmt::format("{}\n", fmt::join(row, ","));
}

}  // namespace

void CsvReporter::end(const std::vector<KernelRecord>& records) {
  std::string text = line_of(header);
  for (const KernelRecord& record : records) {
    const Row kernel = kernel_cells(record);
    if (record.timings.empty()) text += line_of(kernel);
    for (const ConfigTimingRecord& config : record.timings) {
      Row timed = kernel;
      append(timed, config_cells(config));
      if (config.speedups.empty()) text += line_of(timed);
      for (const SpeedupRecord& speedup : config.speedups) {
        Row row = timed;
        append(row, speedup_cells(config, speedup));
        text += line_of(row);
      }
    }
  }
  m_file.write(text);
}

}  // namespace robust_kbench
