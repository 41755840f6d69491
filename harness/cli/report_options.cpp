#include "cli/report_options.hpp"

#include <iostream>
#include <memory>
#include <unistd.h>

#include "command/common_options.hpp"
#include "core/terminal.hpp"
#include "report/console_reporter.hpp"
#include "report/csv_reporter.hpp"
#include "report/github_reporter.hpp"
#include "report/json_reporter.hpp"
#include "report/junit_reporter.hpp"
#include "report/markdown_reporter.hpp"
#include "report/progress_reporter.hpp"

namespace robust_kbench {

void add_report_options(CommandLine& command, ReportOptions& options) {
  add_common_option(command, "--json", options.json);
  add_common_option(command, "--report", options.format).capture_default_str();
  add_common_option(command, "--junit", options.junit);
  add_common_option(command, "--csv", options.csv);
}

Reporters reporters_of(const ReportOptions& options) {
  Reporters reporters;
  reporters.add(std::make_unique<ProgressReporter>());
  if (options.format == "markdown") {
    reporters.add(std::make_unique<MarkdownReporter>(std::cout));
  } else if (options.format == "github") {
    reporters.add(std::make_unique<GithubReporter>(std::cout, std::cerr));
  } else {
    reporters.add(std::make_unique<ConsoleReporter>(std::cout, has_color(STDOUT_FILENO)));
  }
  if (!options.json.empty()) reporters.add(std::make_unique<JsonReporter>(options.json));
  if (!options.junit.empty()) reporters.add(std::make_unique<JunitReporter>(options.junit));
  if (!options.csv.empty()) reporters.add(std::make_unique<CsvReporter>(options.csv));
  return reporters;
}

}  // namespace robust_kbench
