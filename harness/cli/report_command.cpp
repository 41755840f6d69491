#include <optional>

#include "cli/command.hpp"
#include "cli/report_options.hpp"
#include "cli/suite.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/record.hpp"
#include "core/text_file.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

struct ReportCommandOptions {
  ReportOptions report;
  std::vector<std::string> files;
};

std::vector<KernelRecord> records_of(const std::string& path) {
  const std::optional<std::string> text = read_text(path);
  if (!text) throw UserError("record file " + path + " cannot be read");
  try {
    return kernels_of(parse_json(*text));
  } catch (const nlohmann::json::exception& error) {
    throw UserError("record file " + path + " is malformed: " + error.what() +
                    "; give a file that --json has written");
  }
}

int run_report(const ReportCommandOptions& options) {
  std::vector<KernelRecord> records;
  for (const std::string& file : options.files) {
    for (KernelRecord& record : records_of(file)) records.push_back(std::move(record));
  }
  Reporters reporters = reporters_of(options.report);
  reporters.begin({.kernels = records.size(), .configs_in_full = true});
  for (const KernelRecord& record : records) reporters.finished(record);
  reporters.end(records);
  return exit_code(records);
}

}  // namespace

Run add_report_command(const Program&, CommandLine& command) {
  const auto options = std::make_shared<ReportCommandOptions>();
  add_report_options(command, options->report);
  command.add_option("FILE", options->files, "Record files, written by --json").required();
  return [options] { return run_report(*options); };
}

}  // namespace robust_kbench
