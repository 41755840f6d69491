#include "evaluate/split_barriers.hpp"

#include <algorithm>
#include <chrono>

#include "compile/compiler_enclosure.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {
namespace {

constexpr std::chrono::seconds search_limit{20};

bool is_error(const ToolFinding& finding) {
  return finding.tool == "racecheck" && finding.severity == Severity::error;
}

bool has_split_barriers(const std::string& library, const std::string& cuobjdump,
                        const std::string& worker, const std::stop_token& stop) {
  const TemporaryDirectory scratch("cuobjdump");
  // The shell filters the listing, which is longer than run_to_end() keeps.
  const CommandResult found =
      run_to_end({.arguments = {"/bin/sh", "-c", R"("$0" -sass "$1" | grep -q 'BAR[.]ARV')",
                                cuobjdump, library},
                  .environment = compiler_environment(scratch.path()),
                  .working_directory = scratch.path(),
                  .sandbox = library_reader_enclosure(cuobjdump, library, worker, scratch.path())},
                 search_limit, stop);
  return found.exit_code == 0;
}

}  // namespace

ToolLog without_races_at_split_barriers(ToolLog log, const std::string& library,
                                        const std::string& cuobjdump, const std::string& worker,
                                        const std::stop_token& stop) {
  if (cuobjdump.empty() || std::none_of(log.findings.begin(), log.findings.end(), is_error)) {
    return log;
  }
  if (!has_split_barriers(library, cuobjdump, worker, stop)) return log;
  for (ToolFinding& finding : log.findings) {
    if (!is_error(finding)) continue;
    finding.severity = Severity::warning;
    finding.meaning += "; racecheck does not see the order that bar.arrive makes";
  }
  return log;
}

}  // namespace robust_kbench
