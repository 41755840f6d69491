#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "cli/command.hpp"
#include "cli/estimator_option.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupted_run.hpp"
#include "cli/kernel_selection.hpp"
#include "cli/opponents.hpp"
#include "cli/report_options.hpp"
#include "command/common_options.hpp"
#include "command/scope_options.hpp"
#include "core/error.hpp"
#include "evaluate/build.hpp"
#include "evaluate/evaluator_cache.hpp"
#include "evaluate/progress_share.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/suite.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {
namespace {

struct BenchCommandOptions {
  KernelSelection selection;
  std::string configs;
  std::vector<std::string> own_configs;
  OpponentOptions opponents;
  std::vector<std::string> estimators;
  BeyondListedOptions beyond_listed;
  ReportOptions report;
};

// Throws UserError for options that do not fit the kernels.
void check_bench(const BenchCommandOptions& options, const std::vector<KernelSource>& kernels) {
  const bool any_for_cuda = std::ranges::any_of(
      kernels, [](const KernelSource& kernel) { return kernel.device == Device::cuda; });
  if (!options.estimators.empty() && !any_for_cuda) {
    throw UserError("--estimators is for CUDA kernels, and no such kernel is selected");
  }
  check_own_configs(options.own_configs, options.configs, kernels);
  if (!options.opponents.fail_if.empty()) (void)SlowerLimit(options.opponents.fail_if);
}

Request bench_request(const BenchCommandOptions& options, const KernelSource& kernel,
                      const std::vector<Config>& own) {
  Request request;
  request.scope.sets = {options.configs.empty() ? usual_timed_configs(kernel.device)
                                                : parse_config_set(options.configs)};
  request.scope.configs = own;
  // One seed suffices here, since `rkb test` is the command that tests a kernel with five.
  request.scope.seeds = 1;
  options.beyond_listed.apply_to(request.scope);
  if (kernel.device == Device::cuda) request.estimators = options.estimators;
  return request;
}

void warn_of_packages(const Suite& suite, const KernelSource& kernel, const Scope& scope,
                      const std::vector<std::string>& baselines) {
  const std::string missing =
      missing_packages(suite.manifest(), suite.task(kernel.entry.task), kernel, scope, baselines);
  if (!missing.empty() && skip_reason(kernel, suite.manifest().toolchain).empty()) {
    std::fprintf(stderr, "%s\n", missing.c_str());
  }
}

// Times the kernels one after another, until an interrupt.
std::vector<KernelRecord> bench(const Suite& suite, const BenchCommandOptions& options,
                                const std::vector<KernelSource>& kernels,
                                const std::vector<Opponents>& opponents, Reporters& reporters,
                                const InterruptStop& interrupt) {
  const std::vector<Config> own = own_configs_of(
      suite.task(kernels.front().entry.task), kernels.front().entry.direction, options.own_configs);
  EvaluatorCache evaluators(suite, [&](Device device) {
    EvaluatorOptions evaluator_options = usual_evaluator_options(device);
    evaluator_options.bench.baselines = baselines_among(options.opponents.against, device);
    return evaluator_options;
  });
  std::vector<KernelRecord> records;
  std::map<std::pair<std::string, Device>, TestedRivals> rivals;
  for (std::size_t i = 0; i < kernels.size() && interrupt.signal() == 0; ++i) {
    const KernelSource& kernel = kernels[i];
    Request request = bench_request(options, kernel, own);
    warn_of_packages(suite, kernel, request.scope, opponents[i].baselines);
    request.stop = interrupt.token();
    request.on_progress = [&,
                           name = kernel.entry.name() + "." + kernel.name](const Progress& made) {
      reporters.progress(name, made.text, share_done(made, kernel, request.stages));
    };
    Evaluator& evaluator = evaluators.of(kernel);
    const TestedRivals& tested = rivals
                                     .try_emplace({kernel.entry.name(), kernel.device}, evaluator,
                                                  opponents[i].rivals, request)
                                     .first->second;
    request.rivals = tested.racing();
    records.push_back(evaluator.submit(kernel, request));
    tested.complete(records.back());
    reporters.finished(records.back());
  }
  return records;
}

int run_bench(const Program& program, const BenchCommandOptions& options) {
  const InterruptStop interrupt;  // before any other thread starts
  Reporters reporters = reporters_of(options.report);
  const Suite suite(program.tasks, program.manifest_path);
  const std::vector<KernelSource> kernels = selected_kernels(suite, options.selection);
  check_bench(options, kernels);
  require_built(suite.manifest(), kernels);
  std::vector<Opponents> opponents;
  for (const KernelSource& kernel : kernels) {
    opponents.push_back(
        opponents_of(suite, options.opponents.against, kernel, options.selection.source));
  }
  load_torch_for(suite.manifest(), kernels);
  reporters.begin({.kernels = kernels.size(), .configs_in_full = true});
  const std::vector<KernelRecord> records =
      bench(suite, options, kernels, opponents, reporters, interrupt);
  const SlowerKernels slower(options.opponents, records);
  slower.report(reporters);
  reporters.end(records);
  if (interrupt.signal() != 0) return end_interrupted(interrupt);
  return slower.tell(exit_code(records));
}

}  // namespace

Action add_bench_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<BenchCommandOptions>();
  add_selection_options(command, options->selection);
  add_configs_option(command, options->configs, "small for CPU kernels, single for CUDA kernels");
  add_own_configs_option(command, options->own_configs);
  add_beyond_listed_options(command, options->beyond_listed);
  add_opponent_options(command, options->opponents);
  add_estimator_option(command, options->estimators);
  add_report_options(command, options->report);
  return [program, options] { return run_bench(program, *options); };
}

}  // namespace robust_kbench
