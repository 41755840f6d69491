#include "cli/evaluate_options.hpp"

#include "cli/estimator_option.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "evaluate/replay_choice.hpp"

namespace robust_kbench {
namespace {

void add_evaluation_options(CommandLine& command, EvaluateCommandOptions& options) {
  command.add_flag("--no-bench", options.no_bench, "Test, do not time; so does --case");
  command.add_flag("--no-sanitize", options.no_sanitize,
                   "Do not run CUDA kernels under racecheck and synccheck");
  add_common_option(command, "--no-cache", options.no_cache);
  add_common_option(command, "--call-timeout", options.call_timeout_seconds).capture_default_str();
  command
      .add_option("--slow-seconds", options.slow_seconds,
                  "Seconds for slow calls of a kernel's tests; then cases are left out, and it is "
                  "not timed; 0: no limit")
      .between(0, 1e6)
      .capture_default_str();
  add_opponent_options(command, options.opponents);
  add_estimator_option(command, options.estimators);
  command
      .add_option("--judge", options.judge,
                  "replay: record the GPU work of CUDA kernels, and check and time it where none "
                  "of their host code runs, too; in_process: in their own process alone; default: "
                  "replay, if kernels of a task are timed and the programs for it are built")
      .one_of({"in_process", "replay"});
  command.add_flag("--require-replay", options.require_replay,
                   "--judge replay, and a kernel that cannot be replayed is skipped");
  command
      .add_option("--jobs", options.jobs,
                  "Kernels at a time on each GPU; default: 8 at most, where timing is still one by "
                  "one, and 1 on the CPU")
      .between(1, 1000);
  add_common_option(command, "--gpus", options.gpus);
  add_fleet_options(command, options.fleet);
  add_common_option(command, "--show-output", options.show_output);
}

}  // namespace

void add_evaluate_options(CommandLine& command, EvaluateCommandOptions& options) {
  add_common_option(command, "--task", options.task);
  command.add_option("--problem", options.solutions.problem,
                     "A problem of KernelBench, a Python file, in place of --task");
  command.add_option("--solution", options.solutions.solutions,
                     "A solution of it that builds its kernel by load_inline, or a directory of "
                     "them. They are executed, in a sandbox");
  add_common_option(command, "--direction", options.direction).capture_default_str();
  add_common_option(command, "--device", options.device, "default: cpu for .cpp, cuda for .cu");
  add_source_options(command, options.source);
  add_common_option(command, "--allow", options.allow,
                    "of " + names_of(all_capabilities()) + "; records show it in any case")
      .delimiter(',')
      .capture_default_str();
  command
      .add_option("--refuse", options.refuse,
                  "What it may not ask for, of what is allowed; a kernel that does is load_error")
      .delimiter(',');
  add_case_options(command, options.cases);
  add_evaluation_options(command, options);
  add_report_options(command, options.report);
  command.add_flag("--resume", options.resumes,
                   "Go on with the records that the same command left beside its --json file when "
                   "it was ended early");
  command.add_option("KERNEL", options.kernels, "Source files, each one kernel");
}

Capabilities EvaluateCommandOptions::refused() const {
  Capabilities refused = all_capabilities();
  for (const Capability capability : parse_capabilities(allow)) refused.erase(capability);
  refused.merge(parse_capabilities(refuse));
  return refused;
}

Replay EvaluateCommandOptions::replay() const {
  const Replay asked = asked_replay(judge, require_replay);
  return of_problem() && asked == Replay::if_possible ? Replay::never : asked;
}

void check_what_is_evaluated(const EvaluateCommandOptions& options) {
  const SolutionRequest& solutions = options.solutions;
  require_sound(options.fleet);
  if (options.resumes && !options.keeps_records()) {
    throw UserError(
        "--resume goes on with records of KERNEL files beside the file of --json: name "
        "both as before");
  }
  if (options.fleet.is_given() && options.of_problem()) {
    throw UserError("--workers is for KERNEL files of a task: leave --problem and --solution out");
  }
  if (options.replay() == Replay::always && !options.times()) {
    throw UserError("--judge replay is about times, too: leave out --no-bench and --case");
  }
  if (options.fleet.is_given() && !options.gpus.empty()) {
    throw UserError("--gpus is about this machine: leave it out with --workers");
  }
  if (solutions.problem.empty() != solutions.solutions.empty()) {
    throw UserError("--problem and --solution belong together: give both");
  }
  if (!options.of_problem()) {
    if (options.task.empty()) throw UserError("--task is required, or --problem and --solution");
    if (options.kernels.empty()) throw UserError("KERNEL is required: name a source file");
    return;
  }
  if (!options.task.empty() || !options.kernels.empty()) {
    throw UserError("--problem is the task and --solution the kernel: leave --task and KERNEL out");
  }
  if (!options.source.entry_point.empty() || !options.source.further_sources.empty()) {
    throw UserError("--solution says what is compiled and called: leave --source and --entry out");
  }
}

}  // namespace robust_kbench
