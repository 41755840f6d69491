#pragma once

#include <ostream>

#include "report/progress_line.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// Reports to a person, with progress on stderr and tables on `out`.
class ConsoleReporter : public Reporter {
 public:
  explicit ConsoleReporter(std::ostream& out) : m_out(out) {}

  void begin(const ReportedRun& run) override;
  void progress(const std::string& kernel, const std::string& stage) override;
  void finished(const KernelRecord& record) override;
  void end(const std::vector<KernelRecord>& records) override;

 private:
  // "[ 3/19] ", which shows how far a run over kernels of the build is.
  [[nodiscard]] std::string position() const;

  std::ostream& m_out;
  ReportedRun m_run;
  std::size_t m_finished = 0;
  ProgressLine m_line;
};

}  // namespace robust_kbench
