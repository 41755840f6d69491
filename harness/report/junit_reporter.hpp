#pragma once

#include "core/output_file.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// Writes JUnit XML for a CI server, with a test suite for each kernel and a test for each case. A
// finding outside the cases, in the build or while timing, is a test of its own.
class JunitReporter : public Reporter {
 public:
  // Throws UserError where the file cannot be written.
  explicit JunitReporter(const std::string& path) : m_file(path) {}

  void begin(const ReportedRun& run) override { m_run = run; }
  void end(const std::vector<KernelRecord>& records) override;

 private:
  OutputFile m_file;
  ReportedRun m_run;
};

}  // namespace robust_kbench
