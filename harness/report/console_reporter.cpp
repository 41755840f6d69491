#include "report/console_reporter.hpp"

#include <algorithm>

#include "core/terminal.hpp"
#include "report/profile_summary.hpp"
#include "report/summary.hpp"

namespace robust_kbench {
namespace {

bool is_timed(const KernelRecord& record) {
  return !record.timings.empty();
}

// True if the record has the kernel's times, or the reason why it has none.
bool has_times(const KernelRecord& record) {
  return is_timed(record) || !record.timing_note.empty();
}

// True if other estimators timed the kernel.
bool is_estimated(const KernelRecord& record) {
  return std::any_of(record.timings.begin(), record.timings.end(),
                     [](const ConfigTimingRecord& config) { return !config.estimates.empty(); });
}

bool has_warm_figures(const KernelRecord& record) {
  return record.device == Device::cuda && is_timed(record);
}

std::string painted_verdict(const std::string& header, const std::string& cell,
                            const std::string& shown) {
  if (header != "verdict") return shown;
  if (cell == to_string(Verdict::pass)) return colored(shown, Color::green);
  return colored(shown, cell == to_string(Verdict::skipped) ? Color::yellow : Color::red);
}

bool is_profiled(const KernelRecord& record) {
  return record.profile.has_value();
}

}  // namespace

void ConsoleReporter::begin(const ReportedRun& run) {
  m_run = run;
  if (!run.title.empty()) m_out << run.title << "\n" << std::flush;
}

void ConsoleReporter::finished(const KernelRecord& record) {
  if (is_profiled(record)) m_out << profile_summary(record) << "\n";
  if (m_run.configs_in_full && is_timed(record)) {
    m_out << timing_table(record).console() << "\n";
    if (has_warm_figures(record)) m_out << estimate_table(record).console() << "\n";
  }
  m_out << std::flush;
}

void ConsoleReporter::end(const std::vector<KernelRecord>& records) {
  if (!records.empty() && std::all_of(records.begin(), records.end(), is_profiled)) return;
  if (!m_run.configs_in_full) {
    for (const KernelRecord& record : records) {
      const bool alone = records.size() == 1;
      if (!is_estimated(record) && !(alone && has_warm_figures(record))) continue;
      m_out << "\n" << name_of(m_run, record) << "\n" << estimate_table(record).console();
    }
  }
  if (std::any_of(records.begin(), records.end(), has_times)) {
    const Table::Paint paint = m_colored ? painted_verdict : Table::Paint();
    m_out << "\n" << summary_table(records).console(paint) << "\n";
  }
  m_out << remarks(records);
  for (const KernelRecord& record : records) {
    if (refusals(record) == 0) continue;
    m_out << name_of(m_run, record) << " refused:\n" << refused_cases(record);
  }
  if (m_run.output_in_full) {
    for (const KernelRecord& record : records) {
      m_out << name_of(m_run, record) << " printed"
            << (printed_text(record).empty() ? " nothing in its cases\n" : ":\n")
            << printed_text(record);
    }
  }
  m_out << rejections(records) << totals(records) << "\n" << std::flush;
}

}  // namespace robust_kbench
