#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_finding.hpp"

// Parses compute-sanitizer's text, of versions 2020 to 2026. Results are not escaped.
namespace robust_kbench {

struct SanitizerReport {
  std::string title;                 // its first line
  std::vector<std::string> details;  // next lines without places and the host's backtrace
  Place where;
};

struct SanitizerSummary {
  std::int64_t count = 0;
  bool hazards = false;  // racecheck's, which counts hazards (errors and warnings) alone
};

struct SanitizerLog {
  std::vector<SanitizerReport> reports;
  std::vector<SanitizerSummary> summaries;
  std::int64_t not_printed = 0;  // errors above --print-limit
};

SanitizerLog parse_sanitizer_log(std::string_view log);

}  // namespace robust_kbench
