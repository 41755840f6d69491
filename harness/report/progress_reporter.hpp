#pragma once

#include "report/progress_line.hpp"
#include "report/progress_pulse.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// Prints a run's progress on stderr, whatever is printed on stdout. A terminal has a line that is
// rewritten, and elsewhere there is a line every ten seconds. Each finished kernel gets a line that
// stays.
class ProgressReporter : public Reporter {
 public:
  void begin(const ReportedRun& run) override { m_run = run; }
  void progress(const std::string& kernel, const std::string& stage) override;
  void finished(const KernelRecord& record) override;

 private:
  // "[ 3/19] ", the position of a kernel in a run over kernels of the build.
  [[nodiscard]] std::string position() const;

  ReportedRun m_run;
  std::size_t m_finished = 0;
  ProgressLine m_line;
  ProgressPulse m_pulse;
};

}  // namespace robust_kbench
