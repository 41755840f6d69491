#pragma once

#include <string>

#include "cli/command_line.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// How a command tells what became of its kernels.
struct ReportOptions {
  std::string format = "console";  // on stdout
  std::string junit;               // a file; empty: none
  std::string json;                // a file of records; empty: none
};

// --report, --junit and --json. `options` must outlive the parsing.
void add_report_options(CommandLine& command, ReportOptions& options);

// Throws UserError where a file cannot be written. Make them before work that takes long.
Reporters reporters_of(const ReportOptions& options);

}  // namespace robust_kbench
