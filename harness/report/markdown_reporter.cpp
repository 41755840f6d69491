#include "report/markdown_reporter.hpp"

#include <algorithm>

#include "report/profile_summary.hpp"
#include "report/summary.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// A fenced block whose fence is not in the text.
std::string block(const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += "`";
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string code(const std::string& text) {
  return "`" + text + "`";
}

}  // namespace

void MarkdownReporter::end(const std::vector<KernelRecord>& records) {
  if (!m_run.title.empty()) m_out << m_run.title << "\n\n";
  m_out << totals(records) << "\n\n" << summary_table(records).markdown();
  if (const std::string text = remarks(records); !text.empty()) m_out << "\n" << block(text);
  for (const KernelRecord& record : records) {
    if (!record.timings.empty()) {
      m_out << "\n### " << code(name_of(m_run, record)) << ", by config\n\n"
            << timing_table(record).markdown();
    }
    if (const std::string text = refused_cases(record); !text.empty()) {
      m_out << "\n### " << code(name_of(m_run, record)) << ", refused\n\n" << block(text);
    }
    if (record.profile) {
      m_out << "\n### " << code(name_of(m_run, record)) << ", profiled\n\n"
            << block(profile_summary(record));
    } else if (!record.judgement.passes()) {
      m_out << "\n### " << code(name_of(m_run, record)) << ": " << label(record.judgement) << "\n\n"
            << block(with_output(record.judgement));
    }
  }
  m_out << std::flush;
}

}  // namespace robust_kbench
