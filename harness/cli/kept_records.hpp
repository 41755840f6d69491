#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "core/record.hpp"
#include "report/reporter.hpp"

// The finished records of an evaluation that is under way, in a file beside its --json file. With
// --resume the same command goes on with them, whatever ended it.
namespace robust_kbench {

// The kernels that have no record among these.
std::vector<KernelSource> without(const std::vector<KernelSource>& kernels,
                                  const std::vector<KernelRecord>& records);

// Both in the order of the kernels. `rest` has those of the kernels without a kept record.
std::vector<KernelRecord> in_order_of(const std::vector<KernelSource>& kernels,
                                      const std::vector<KernelRecord>& kept,
                                      std::vector<KernelRecord> rest);

// Removes the file, once all records are written.
void forget_kept_records(const std::string& json);

// Keeps each record as soon as its kernel is finished.
class RecordKeeper : public Reporter {
 public:
  // `command` is the command line without --resume. Throws UserError where there are records of
  // another command, or of an earlier run that is not resumed.
  RecordKeeper(const std::string& json, std::string command,
               const std::vector<KernelSource>& kernels, bool resumes);

  // The records that the earlier run left, of kernels whose sources are as they were then.
  [[nodiscard]] const std::vector<KernelRecord>& kept() const { return m_kept; }

  // Throws UserError where the file cannot be written.
  void finished(const KernelRecord& record) override;

 private:
  std::filesystem::path m_file;
  std::string m_command;
  const std::vector<KernelSource>& m_kernels;
  std::vector<KernelRecord> m_kept;
};

}  // namespace robust_kbench
