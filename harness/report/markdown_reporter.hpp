#pragma once

#include <ostream>

#include "report/reporter.hpp"

namespace robust_kbench {

// Writes tables and reasons as Markdown for a page, a comment or a chat, all at the end.
class MarkdownReporter : public Reporter {
 public:
  explicit MarkdownReporter(std::ostream& out) : m_out(out) {}

  void begin(const ReportedRun& run) override { m_run = run; }
  void end(const std::vector<KernelRecord>& records) override;

 private:
  std::ostream& m_out;
  ReportedRun m_run;
};

}  // namespace robust_kbench
