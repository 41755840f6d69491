#pragma once

#include "core/output_file.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// Writes a table for spreadsheets, with cells quoted as by csv_cell(). It has one row for each
// timed config and opponent, and one for a kernel that was not timed.
class CsvReporter : public Reporter {
 public:
  // Throws UserError where the file cannot be written.
  explicit CsvReporter(const std::string& path) : m_file(path) {}

  void end(const std::vector<KernelRecord>& records) override;

 private:
  OutputFile m_file;
};

}  // namespace robust_kbench
