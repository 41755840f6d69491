#include <cstdio>
#include <memory>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_option.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/suite.hpp"
#include "evolve/adopt.hpp"
#include "report/progress_display.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {
namespace {

struct AdoptCommandOptions {
  std::string directory;
  std::string run;
  int proposal = 0;
  std::string name;
  std::string task;
  bool anyway = false;
  bool specialised = false;
};

// The archive names a run's task, and not the package that it came from.
const Task& adopted_task(const Suite& suite, const RunRow& run, const std::string& given) {
  const Task& task = suite.task(given.empty() ? run.entry.task : given);
  if (task.name == run.entry.task) return task;
  throw UserError("run " + run.id + " is of task '" + run.entry.task + "', not of '" + task.name +
                  "'; leave --task out, or name its package");
}

int adopt_proposal(const Program& program, const AdoptCommandOptions& options) {
  const Suite suite(program.tasks, program.manifest_path);
  const Archive archive(archive_directory(program, options.directory), Archive::Mode::read_only);
  const RunRow run = archive.run(options.run);
  ProgressDisplay progress;
  Evaluator evaluator(suite.manifest(), adopted_task(suite, run, options.task), run.entry.direction,
                      run.device);
  const Evaluates evaluates = [&](const KernelSource& source, const Request& request) {
    return evaluator.submit(source, request);
  };
  const Adopted adopted = adopt(suite.manifest(), evaluates, archive, run.id,
                                {.proposal = options.proposal,
                                 .name = options.name,
                                 .anyway = options.anyway,
                                 .specialised = options.specialised,
                                 .on_progress = [&](const std::string& text, double share) {
                                   progress.update(run.id, text, share);
                                 }});
  progress.end(run.id, "adopted: " + adopted.speedups);
  std::printf("%s\n", adopted.file.c_str());
  std::fprintf(stderr,
               "The next build finds it where robust_kbench_add_kernels() adds its folder. Else "
               "add:\n  robust_kbench_add_kernel(TASK %s DIRECTION %s SOURCES %s)\n",
               run.entry.task.c_str(), std::string(to_string(run.entry.direction)).c_str(),
               adopted.file.c_str());
  return ExitCode::pass;
}

}  // namespace

Action add_archive_adopt_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<AdoptCommandOptions>();
  command.add_option("RUN", options->run, "A run of the archive").required();
  command.add_option("PROPOSAL", options->proposal, "One of its proposals; default: its winner");
  add_common_option(command, "--name", options->name, "default: evolved_<number>");
  command.add_flag("--anyway", options->anyway,
                   "Also where it is not faster than the registered kernels");
  command.add_flag("--specialised", options->specialised,
                   "Also where it is not faster on configs that no proposer has seen");
  add_common_option(command, "--task", options->task,
                    "needed where the run was of a package that is not found by its name");
  add_common_option(command, "--archive", options->directory);
  return [program, options] { return adopt_proposal(program, *options); };
}

}  // namespace robust_kbench
