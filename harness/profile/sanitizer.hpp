#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_finding.hpp"

namespace robust_kbench {

// The tools of compute-sanitizer.
inline constexpr std::array<const char*, 4> sanitizers{"memcheck", "racecheck", "initcheck",
                                                       "synccheck"};

// The arguments for compute-sanitizer before --log-file and the program. `tool` is one of
// `sanitizers`.
std::vector<std::string> sanitizer_arguments(const std::string& tool);

// The findings of a compute-sanitizer run, from its --log-file. The kernel's own output goes to
// stdout, not into that file.
//
// Equal findings at one place become one, whose value is their count. No finding means clean: the
// log ends with a summary that counts none. Errors that the summary counts and the log does not
// show are one finding, `errors_not_shown`. There may also be `process_failed` and, with severity
// info, `message`.
//
// Throws HarnessError for a log without a summary, with two, or with one that contradicts it. Also
// throws if the sanitizer reports that it could not run.
std::vector<ToolFinding> sanitizer_findings(std::string_view tool, std::string_view log);

}  // namespace robust_kbench
