#pragma once

#include <ostream>

#include "report/reporter.hpp"

namespace robust_kbench {

// Reports to a person, with tables on `out`. Verdicts may have colours.
class ConsoleReporter : public Reporter {
 public:
  explicit ConsoleReporter(std::ostream& out, bool colored = false)
      : m_out(out), m_colored(colored) {}

  void begin(const ReportedRun& run) override;
  void finished(const KernelRecord& record) override;
  void end(const std::vector<KernelRecord>& records) override;

 private:
  std::ostream& m_out;
  bool m_colored;
  ReportedRun m_run;
};

}  // namespace robust_kbench
