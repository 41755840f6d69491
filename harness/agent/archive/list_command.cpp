#include <cstdio>
#include <memory>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_option.hpp"
#include "agent/archive/archive_text.hpp"
#include "archive/run_overview.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "report/table.hpp"

namespace robust_kbench {
namespace {

int list_runs(const Archive& archive) {
  Table table({"run", "entry", "device", "proposals", "accepted", "winner", "in search",
               "confirmed", "state", "started"});
  for (const RunRow& run : archive.runs()) {
    const RunOverview overview = overview_of(archive, run);
    table.add({run.id, run.entry.name(), std::string(to_string(run.device)),
               std::to_string(overview.proposals), std::to_string(overview.accepted),
               run.winner == 0 ? "-" : std::to_string(run.winner), speedup_text(overview.in_search),
               speedup_text(overview.confirmed), std::string(to_string(overview.state)),
               run.started_at});
  }
  std::printf("%s", table.console().c_str());
  return ExitCode::pass;
}

}  // namespace

Action add_archive_list_command(const Program& program, CommandLine& command) {
  const auto directory = std::make_shared<std::string>();
  add_common_option(command, "--archive", *directory);
  return [program, directory] {
    return list_runs({archive_directory(program, *directory), Archive::Mode::read_only});
  };
}

}  // namespace robust_kbench
