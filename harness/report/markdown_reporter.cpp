#include "report/markdown_reporter.hpp"

#include "report/markdown_text.hpp"
#include "report/profile_summary.hpp"
#include "report/summary.hpp"

namespace robust_kbench {
void MarkdownReporter::end(const std::vector<KernelRecord>& records) {
  if (!m_run.title.empty()) m_out << m_run.title << "\n\n";
  m_out << totals(records) << "\n\n" << summary_table(records).markdown();
  if (const std::string text = remarks(records); !text.empty())
    m_out << "\n" << markdown_block(text);
  for (const KernelRecord& record : records) {
    if (!record.timings.empty()) {
      m_out << "\n### " << markdown_code(name_of(m_run, record)) << ", by config\n\n"
            << timing_table(record).markdown();
    }
    if (const std::string text = refused_cases(record); !text.empty()) {
      m_out << "\n### " << markdown_code(name_of(m_run, record)) << ", refused\n\n"
            << markdown_block(text);
    }
    if (record.profile) {
      m_out << "\n### " << markdown_code(name_of(m_run, record)) << ", profiled\n\n"
            << markdown_block(profile_summary(record));
    } else if (!record.judgement.passes()) {
      m_out << "\n### " << markdown_code(name_of(m_run, record)) << ": " << label(record.judgement)
            << "\n\n"
            << markdown_block(with_output(record.judgement));
    }
  }
  m_out << std::flush;
}

}  // namespace robust_kbench
