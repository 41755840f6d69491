#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/common_options.hpp"
#include "cli/estimator_option.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupted_run.hpp"
#include "cli/kernel_names.hpp"
#include "cli/opponents.hpp"
#include "cli/report_options.hpp"
#include "cli/scope_options.hpp"
#include "cli/solutions/fast_p.hpp"
#include "cli/solutions/read_solutions.hpp"
#include "cli/source_options.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "evaluate/jobs.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/several_gpus.hpp"
#include "evaluate/suite.hpp"

namespace robust_kbench {
namespace {

struct EvaluateCommandOptions {
  std::string task;
  std::string direction = "forward";
  std::string device;
  CaseOptions cases;
  bool no_bench = false;
  bool no_cache = false;
  bool no_sanitize = false;
  bool show_output = false;
  // With these limits a kernel of 3 s a call has its verdict within a minute.
  double slow_seconds = SlowCallLimit().seconds;
  double call_timeout_seconds = std::chrono::duration<double>(Limits().call_timeout).count();
  SourceOptions source;
  int jobs = 0;
  std::vector<int> gpus;
  OpponentOptions opponents;
  std::vector<std::string> estimators;
  std::vector<std::string> kernels;
  SolutionRequest solutions;
  ReportOptions report;

  // Returns whether the command evaluates solutions of a problem, in place of kernels of a task.
  [[nodiscard]] bool of_problem() const { return !solutions.problem.empty(); }
};

// Throws UserError where options for kernels and for solutions are mixed, or neither set is whole.
void check_what_is_evaluated(const EvaluateCommandOptions& options) {
  const SolutionRequest& solutions = options.solutions;
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

EvaluatorOptions evaluator_options(const EvaluateCommandOptions& options,
                                   const std::vector<std::string>& baselines, Device device,
                                   int jobs) {
  EvaluatorOptions evaluator = usual_evaluator_options(device);
  evaluator.max_jobs = jobs;
  const std::chrono::duration<double> call_timeout(options.call_timeout_seconds);
  evaluator.bench.call_timeout =
      std::chrono::duration_cast<std::chrono::milliseconds>(call_timeout);
  evaluator.bench.baselines = baselines;
  evaluator.compile_cache = !options.no_cache;
  return evaluator;
}

// Returns the kernels that need no second run after an interrupt.
std::vector<std::string> finished_of(const EvaluateCommandOptions& options,
                                     const std::vector<KernelRecord>& records) {
  std::vector<std::string> finished;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].judgement.reason == cancelled) continue;
    finished.push_back(records[i].solution ? records[i].solution->file : options.kernels.at(i));
  }
  return finished;
}

// KernelBench tests one shape, which our usual configs for CUDA lack, in five trials.
void ask_for_problems_shape(const EvaluateCommandOptions& options, Device device, Scope& scope) {
  if (!options.of_problem() || options.cases.one_case()) return;
  scope.all_cases = true;
  const bool usual = options.cases.configs.empty() && scope.configs.empty();
  if (usual && device == Device::cuda) scope.sets = {ConfigSet::single, ConfigSet::small};
}

int run_evaluate(const Program& program, const ImporterProgram& importer,
                 const EvaluateCommandOptions& options) {
  check_what_is_evaluated(options);
  InterruptStop interrupt;  // before any other thread starts
  Reporters reporters = reporters_of(options.report);
  const Suite suite(program.tasks, program.manifest_path);
  ReadSolutions solutions{.package = options.task, .kernels = {}, .refused = {}};
  if (options.of_problem()) {
    SolutionRequest request = options.solutions;
    request.device = options.device;
    try {
      solutions = read_solutions(importer, suite, request, interrupt.token());
    } catch (const Cancelled&) {
      return 128 + interrupt.signal();
    }
    std::fprintf(stderr, "%s", refusals_text(solutions.refused).c_str());
    if (solutions.kernels.empty()) return ExitCode::rejected;
  }
  const Task& task = suite.task(solutions.package);
  std::vector<KernelSource> kernels = solutions.kernels;
  for (const std::string& path : options.kernels) {
    KernelSource kernel = suite.loose_kernel(options.task, options.direction, options.device, path);
    options.source.apply_to(kernel);
    kernels.push_back(std::move(kernel));
  }
  tell_apart(kernels);
  // A single case names no config that could be timed.
  const bool timed = !options.no_bench && options.cases.case_name.empty();
  check_own_configs(options.cases.own_configs, options.cases.configs, kernels);
  Scope scope = options.cases.scope();
  scope.configs = own_configs_of(task, kernels.front().entry.direction, options.cases.own_configs);
  const Scope timed_scope = scope;
  ask_for_problems_shape(options, kernels.front().device, scope);
  if (!options.opponents.fail_if.empty()) {
    (void)SlowerLimit(options.opponents.fail_if);
    if (!timed) throw UserError("--fail-if is about times: leave out --no-bench and --case");
  }
  reporters.begin({.kernels = kernels.size(),
                   .files = true,
                   .configs_in_full = true,
                   .output_in_full = options.show_output});
  std::vector<KernelRecord> records;
  {
    std::mutex mutex;  // of the reporters
    const auto request_of = [&](const KernelSource& kernel) {
      Request request{.scope = scope,
                      .estimators = options.estimators,
                      .synchronisation_check = !options.no_sanitize,
                      .output_in_full = options.show_output};
      if (!timed) request.stages = {Stage::compile, Stage::test};
      if (timed && options.of_problem()) {
        request.timed = timed_configs(suite.manifest(), task, kernel.entry.direction, kernel.device,
                                      timed_scope);
      }
      if (options.slow_seconds > 0 && options.cases.case_name.empty()) {
        request.slow_calls = SlowCallLimit{.seconds = options.slow_seconds};
      }
      request.stop = interrupt.token();
      request.on_progress = [&, path = kernel.sources.front()](const Progress& made) {
        const std::scoped_lock lock(mutex);
        reporters.progress(path, made.text);
      };
      return request;
    };
    const auto on_done = [&](const KernelSource&, const KernelRecord& record) {
      const std::scoped_lock lock(mutex);
      reporters.finished(record);
    };
    const Device device = kernels.front().device;
    const bool one_device = std::all_of(kernels.begin(), kernels.end(), [&](const auto& kernel) {
      return kernel.device == device;
    });
    if (!one_device) throw UserError("the kernels are for CPU and GPU; evaluate them apart");
    if (device == Device::cpu && options.jobs > 1 && timed) {
      throw UserError("--jobs " + std::to_string(options.jobs) +
                      ": on the CPU each kernel is timed on all cores; give --no-bench as well");
    }
    if (device == Device::cpu && !options.gpus.empty()) {
      throw UserError("--gpus is for CUDA kernels (.cu)");
    }
    if (device == Device::cpu && !options.estimators.empty()) {
      throw UserError("--estimators is for CUDA kernels (.cu)");
    }
    Opponents opponents =
        opponents_of(suite, options.opponents.against, kernels.front(), options.source);
    if (!timed) opponents.rivals.clear();
    const EvaluateShare evaluate_share = [&](const std::vector<KernelSource>& share) {
      // The threads share one preload.
      if (timed && share.front().sources == kernels.front().sources) {
        const std::string missing =
            missing_packages(suite.manifest(), task, share.front(), scope, opponents.baselines);
        if (!missing.empty()) std::fprintf(stderr, "%s\n", missing.c_str());
      }
      const int jobs = std::min(options.jobs > 0 ? options.jobs : usual_jobs(device),
                                static_cast<int>(share.size()));
      Evaluator evaluator(suite.manifest(), task, share.front().entry.direction, device,
                          evaluator_options(options, opponents.baselines, device, jobs));
      const TestedRivals rivals(evaluator, opponents.rivals, request_of(share.front()));
      const auto racing = [&](const KernelSource& kernel) {
        Request request = request_of(kernel);
        request.rivals = rivals.racing();
        return request;
      };
      const auto on_raced = [&](const KernelSource& kernel, KernelRecord record) {
        rivals.complete(record);
        on_done(kernel, record);
      };
      std::vector<KernelRecord> raced =
          evaluate_all(evaluator, share, {.jobs = jobs, .request_of = racing, .on_done = on_raced});
      for (KernelRecord& record : raced) rivals.complete(record);
      return raced;
    };
    records = options.gpus.empty()
                  ? evaluate_share(kernels)
                  : evaluate_on_gpus(options.gpus, kernels, evaluate_share, interrupt.token(),
                                     [&] { interrupt.wait_here(); });
  }
  reporters.end(records);
  if (interrupt.signal() != 0) return end_interrupted(interrupt, finished_of(options, records));
  const std::size_t refused = solutions.refused.size();
  if (options.of_problem() && options.report.format == "console") {
    std::printf("%s", glue_text(records).c_str());
    if (records.size() + refused > 1) std::printf("%s", fast_p_text(records, refused).c_str());
  }
  const int code = fail_if_slower(options.opponents, records, exit_code(records));
  return refused > 0 && code == ExitCode::pass ? ExitCode::rejected : code;
}

}  // namespace

Action add_evaluate_command(const Program& program, const ImporterProgram& importer,
                            CommandLine& command) {
  const auto options = std::make_shared<EvaluateCommandOptions>();
  add_common_option(command, "--task", options->task);
  command.add_option("--problem", options->solutions.problem,
                     "A problem of KernelBench, a Python file, in place of --task");
  command.add_option("--solution", options->solutions.solutions,
                     "A solution of it that builds its kernel by load_inline, or a directory of "
                     "them. They are executed, in a sandbox");
  add_common_option(command, "--direction", options->direction).capture_default_str();
  add_common_option(command, "--device", options->device, "default: cpu for .cpp, cuda for .cu");
  add_source_options(command, options->source);
  add_case_options(command, options->cases);
  command.add_flag("--no-bench", options->no_bench, "Test, do not time; so does --case");
  command.add_flag("--no-sanitize", options->no_sanitize,
                   "Do not run CUDA kernels under racecheck and synccheck on one small case");
  add_common_option(command, "--no-cache", options->no_cache);
  add_common_option(command, "--call-timeout", options->call_timeout_seconds).capture_default_str();
  command
      .add_option("--slow-seconds", options->slow_seconds,
                  "Seconds for slow calls of a kernel's tests; then cases are left out, and it is "
                  "not timed; 0: no limit")
      .between(0, 1e6)
      .capture_default_str();
  add_opponent_options(command, options->opponents);
  add_estimator_option(command, options->estimators);
  command
      .add_option("--jobs", options->jobs,
                  "Kernels at a time on each GPU; default: 8 at most, where timing is still one by "
                  "one, and 1 on the CPU")
      .between(1, 1000);
  add_common_option(command, "--gpus", options->gpus);
  add_common_option(command, "--show-output", options->show_output);
  add_report_options(command, options->report);
  command.add_option("KERNEL", options->kernels, "Source files, each one kernel");
  return [program, &importer, options] { return run_evaluate(program, importer, *options); };
}

}  // namespace robust_kbench
