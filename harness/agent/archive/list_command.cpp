#include <cstdio>
#include <memory>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_json.hpp"
#include "agent/archive/archive_option.hpp"
#include "agent/archive/archive_text.hpp"
#include "archive/run_overview.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "report/table.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

void list_runs(const Archive& archive) {
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
}

}  // namespace

Action add_archive_list_command(const Program& program, CommandLine& command) {
  struct Options {
    std::string directory, json;
  };
  const auto options = std::make_shared<Options>();
  add_common_option(command, "--archive", options->directory);
  add_common_option(command, "--json", options->json);
  return [program, options] {
    const OutputFile json(options->json);
    const Archive archive(archive_directory(program, options->directory), Archive::Mode::read_only);
    list_runs(archive);
    write_archive_json(json, runs_json(archive));
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
