#include <iostream>
#include <memory>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_option.hpp"
#include "archive/export_generalisation.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/suite.hpp"
#include "evolve/generalisation.hpp"
#include "report/progress_line.hpp"
#include <robust_kbench/task.hpp>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

struct GeneraliseCommandOptions {
  std::string directory;
  std::vector<std::string> runs;
};

int generalise_runs(const Program& program, const GeneraliseCommandOptions& options) {
  const Suite suite(program.tasks, program.manifest_path);
  Archive archive(archive_directory(program, options.directory), Archive::Mode::read_write);
  std::vector<KernelSource> kernels;
  for (const std::string& run : options.runs) {
    kernels.emplace_back().device = archive.run(run).device;
  }
  load_torch_for(suite.manifest(), kernels);
  ProgressLine line;
  for (const std::string& id : options.runs) {
    generalise(suite.manifest(), suite.task(archive.run(id).entry.task), archive, id,
               [&](const std::string& text) { line.update(id + ": " + text); });
  }
  line.finish(fmt::format("winners that were evaluated anew: {}", options.runs.size()));
  export_generalisation(archive, options.runs, std::cout);
  return ExitCode::pass;
}

}  // namespace

Action add_archive_generalise_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<GeneraliseCommandOptions>();
  command.add_option("RUN", options->runs, "Runs that have a winner").required();
  add_common_option(command, "--archive", options->directory);
  return [program, options] { return generalise_runs(program, *options); };
}

}  // namespace robust_kbench
