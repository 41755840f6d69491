#pragma once

#include <string>

#include "command/command_line.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// The forms in which a command tells what became of its kernels.
struct ReportOptions {
  std::string format = "console";  // on stdout
  std::string junit;               // a file; empty: none
  std::string json;                // a file of records; empty: none
  std::string csv;                 // a table for spreadsheets; empty: none
};

// Declares --report, --junit, --json and --csv. `options` outlives the parsing.
void add_report_options(CommandLine& command, ReportOptions& options);

// Makes the reporters. Call it before work that takes long, since it throws UserError where a file
// cannot be written.
Reporters reporters_of(const ReportOptions& options);

}  // namespace robust_kbench
