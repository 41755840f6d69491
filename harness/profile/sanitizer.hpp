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

// What to give to compute-sanitizer before --log-file and the program. `tool`: one of sanitizers.
std::vector<std::string> sanitizer_arguments(const std::string& tool);

// What a run of compute-sanitizer found, from what it wrote with --log-file (a kernel's own output
// is not in there, but would be on stdout).
// Alike findings at one place are one, whose value says how many. None means clean: the log ends
// with a summary, and that counts none. Errors that the summary counts and the log does not show
// are one finding, `errors_not_shown`. Besides what the sanitizer counts there may be
// `process_failed` and, with severity info, `message`.
// Throws HarnessError for a log that has no summary, two, or one that contradicts it, and where the
// sanitizer says that it could not look.
std::vector<ToolFinding> sanitizer_findings(std::string_view tool, std::string_view log);

}  // namespace robust_kbench
