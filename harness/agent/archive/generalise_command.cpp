#include <iostream>
#include <memory>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_json.hpp"
#include "agent/archive/archive_option.hpp"
#include "archive/export_generalisation.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/suite.hpp"
#include "evolve/generalisation.hpp"
#include "report/progress_display.hpp"
#include <robust_kbench/task.hpp>

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

struct GeneraliseCommandOptions {
  std::string directory;
  std::vector<std::string> runs;
  std::string json;
};

int generalise_runs(const Program& program, const GeneraliseCommandOptions& options) {
  const OutputFile json_file(options.json);
  const Suite suite(program.tasks, program.manifest_path);
  Archive archive(archive_directory(program, options.directory), Archive::Mode::read_write);
  std::vector<KernelSource> kernels;
  for (const std::string& run : options.runs) {
    kernels.emplace_back().device = archive.run(run).device;
  }
  load_torch_for(suite.manifest(), kernels);
  ProgressDisplay progress;
  const auto runs = static_cast<double>(options.runs.size());
  for (std::size_t i = 0; i < options.runs.size(); ++i) {
    const std::string& id = options.runs[i];
    generalise(suite.manifest(), suite.task(archive.run(id).entry.task), archive, id,
               [&](const std::string& text, double share) {
                 progress.update(id, text, (static_cast<double>(i) + share) / runs);
               });
    progress.end(id, id + ": its winner was evaluated anew");
  }
  export_generalisation(archive, options.runs, std::cout);
  nlohmann::json found = nlohmann::json::object();
  for (const std::string& id : options.runs) found[id] = archive.run(id).summary["generalisation"];
  write_archive_json(json_file, found);
  return ExitCode::pass;
}

}  // namespace

Action add_archive_generalise_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<GeneraliseCommandOptions>();
  command.add_option("RUN", options->runs, "Runs that have a winner").required();
  add_common_option(command, "--archive", options->directory);
  add_common_option(command, "--json", options->json);
  return [program, options] { return generalise_runs(program, *options); };
}

}  // namespace robust_kbench
