#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/record_files.hpp"
#include "cli/report_options.hpp"
#include "core/record.hpp"

namespace robust_kbench {
namespace {

struct ReportCommandOptions {
  ReportOptions report;
  std::vector<std::string> files;
};

int run_report(const ReportCommandOptions& options) {
  std::vector<KernelRecord> records;
  for (const std::string& file : record_files(options.files)) {
    for (KernelRecord& record : records_of(file)) records.push_back(std::move(record));
  }
  Reporters reporters = reporters_of(options.report);
  reporters.begin({.kernels = records.size(), .configs_in_full = true});
  for (const KernelRecord& record : records) reporters.finished(record);
  reporters.end(records);
  return exit_code(records);
}

}  // namespace

Action add_report_command(const Program&, CommandLine& command) {
  const auto options = std::make_shared<ReportCommandOptions>();
  add_report_options(command, options->report);
  command
      .add_option("FILE", options->files,
                  "Record files as --json writes them, directories or globs of such; - is stdin")
      .required();
  return [options] { return run_report(*options); };
}

}  // namespace robust_kbench
