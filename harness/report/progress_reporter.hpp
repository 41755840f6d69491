#pragma once

#include <map>

#include "report/progress_display.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// Shows a run's progress on stderr, whatever is printed on stdout. Each finished kernel of several
// gets a line that stays.
class ProgressReporter : public Reporter {
 public:
  void begin(const ReportedRun& run) override { m_run = run; }
  void progress(const std::string& kernel, const std::string& stage, double share) override;
  void finished(const KernelRecord& record) override;

 private:
  // "[ 3/19] ", the position of a kernel in a run over kernels of the build.
  [[nodiscard]] std::string position() const;
  // How much of the run's work is done, from 0 to 1. All kernels count the same.
  [[nodiscard]] double share() const;

  ReportedRun m_run;
  std::size_t m_finished = 0;
  std::map<std::string, double> m_begun;  // shares of the kernels that have not finished
  ProgressDisplay m_display;
};

}  // namespace robust_kbench
