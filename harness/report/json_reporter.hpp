#pragma once

#include "core/output_file.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// Writes the records as one file (docs/records.md).
class JsonReporter : public Reporter {
 public:
  // Throws UserError where the file cannot be written.
  explicit JsonReporter(const std::string& path) : m_file(path) {}

  void end(const std::vector<KernelRecord>& records) override;

 private:
  OutputFile m_file;
};

}  // namespace robust_kbench
