#include "cli/report_options.hpp"

#include <iostream>
#include <memory>

#include "report/console_reporter.hpp"
#include "report/junit_reporter.hpp"
#include "report/markdown_reporter.hpp"

namespace robust_kbench {

void add_report_options(CommandLine& command, ReportOptions& options) {
  command.add_option("--report", options.format, "What to print on stdout")
      .one_of({"console", "markdown"})
      .capture_default_str();
  command.add_option("--junit", options.junit, "Write the results as JUnit's XML to this file");
}

Reporters reporters_of(const ReportOptions& options) {
  Reporters reporters;
  if (options.format == "markdown") {
    reporters.add(std::make_unique<MarkdownReporter>(std::cout));
  } else {
    reporters.add(std::make_unique<ConsoleReporter>(std::cout));
  }
  if (!options.junit.empty()) reporters.add(std::make_unique<JunitReporter>(options.junit));
  return reporters;
}

}  // namespace robust_kbench
