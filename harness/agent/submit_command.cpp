#include <cstdio>
#include <memory>

#include "agent/agent_program.hpp"
#include "agent/archive/archive_option.hpp"
#include "archive/archive.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "evaluate/kernels_of_others.hpp"
#include "evaluate/suite.hpp"
#include "propose/submitted_proposer.hpp"

namespace robust_kbench {
namespace {

struct SubmitCommandOptions {
  std::string archive;
  std::string run;
  std::string file;
  bool unsafe = false;
};

int submit(const AgentProgram& program, const SubmitCommandOptions& options) {
  const Archive archive(archive_directory(program, options.archive), Archive::Mode::read_only);
  const RunRow run = archive.run(options.run);
  if (run.state == RunState::ended) {
    throw UserError("run " + run.id + " has ended (" + run.stop_reason +
                    "); submit to one that is running or interrupted");
  }
  const Suite suite(program.tasks, program.manifest_path);
  if (!options.unsafe) require_sandbox_for_others(suite.manifest(), run.device);
  const std::string extension = run.device == Device::cuda ? ".cu" : ".cpp";
  if (!options.file.ends_with(extension)) {
    throw UserError("run " + run.id + " is on " + std::string(to_string(run.device)) + ", and '" +
                    options.file + "' does not end in " + extension + "; give a source for it");
  }
  submit_to_run(archive.directory() / "runs" / run.id, options.file, run.device);
  std::printf("submitted; `%s archive show %s%s` tells what became of it\n", own_command().c_str(),
              run.id.c_str(), archive_words(options.archive).c_str());
  return ExitCode::pass;
}

}  // namespace

Action add_submit_command(const AgentProgram& program, CommandLine& command) {
  const auto options = std::make_shared<SubmitCommandOptions>();
  command.add_option("RUN", options->run, "A run that is under way, or that will go on").required();
  command.add_option("FILE", options->file, "The source of a kernel").required();
  add_common_option(command, "--unsafe", options->unsafe);
  add_common_option(command, "--archive", options->archive);
  return [program, options] { return submit(program, *options); };
}

}  // namespace robust_kbench
