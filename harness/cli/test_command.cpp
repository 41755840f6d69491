#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupted_run.hpp"
#include "cli/kernel_selection.hpp"
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

struct TestCommandOptions {
  KernelSelection selection;
  CaseOptions cases;
  bool sanitize = false;
  bool show_output = false;
  ReportOptions report;
};

Request request_of(const TestCommandOptions& options) {
  Request request{.scope = options.cases.scope(),
                  .stages = {Stage::compile, options.sanitize ? Stage::sanitize : Stage::test}};
  request.output_in_full = options.show_output;
  if (options.sanitize && request.scope.sets.empty()) request.scope.sets = {ConfigSet::small};
  return request;
}

// The cases of another entry have other names.
void check_case(const std::vector<KernelSource>& kernels, const CaseOptions& options) {
  if (!options.one_case()) return;
  for (const KernelSource& kernel : kernels) {
    if (kernel.entry.name() != kernels.front().entry.name()) {
      throw UserError("--case " + options.case_name +
                      " is of one task and direction; give --task and --direction");
    }
  }
}

int run_test(const Program& program, const TestCommandOptions& options) {
  const InterruptStop interrupt;  // before any other thread starts
  if (options.sanitize && !options.cases.nonce.empty()) {
    throw UserError(
        "--nonce keys calls that are compared, and --sanitize compares none; leave one "
        "of the two out");
  }
  Reporters reporters = reporters_of(options.report);
  const Suite suite(program.tasks, program.manifest_path);
  const std::vector<KernelSource> kernels = selected_kernels(suite, options.selection);
  check_case(kernels, options.cases);
  check_own_configs(options.cases.own_configs, options.cases.configs, kernels);
  require_built(suite.manifest(), kernels);
  load_torch_for(suite.manifest(), kernels);
  std::vector<KernelRecord> records;
  reporters.begin({.kernels = kernels.size(), .output_in_full = options.show_output});
  EvaluatorCache evaluators(suite);
  Request request = request_of(options);
  request.scope.configs =
      own_configs_of(suite.task(kernels.front().entry.task), kernels.front().entry.direction,
                     options.cases.own_configs);
  for (const KernelSource& kernel : kernels) {
    const std::string name = kernel.entry.name() + "." + kernel.name;
    request.stop = interrupt.token();
    request.on_progress = [&](const Progress& made) {
      reporters.progress(name, made.text, share_done(made, kernel, request.stages));
    };
    records.push_back(evaluators.of(kernel).submit(kernel, request));
    reporters.finished(records.back());
    if (interrupt.signal() != 0) break;
  }
  reporters.end(records);
  if (interrupt.signal() != 0) return end_interrupted(interrupt);
  return exit_code(records);
}

}  // namespace

Action add_test_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<TestCommandOptions>();
  add_selection_options(command, options->selection);
  add_case_options(command, options->cases);
  command.add_flag("--sanitize", options->sanitize,
                   "Call CUDA kernels under compute-sanitizer's memcheck, racecheck, initcheck and "
                   "synccheck; outputs are not compared. Default configs: small");
  add_common_option(command, "--show-output", options->show_output);
  add_report_options(command, options->report);
  return [program, options] { return run_test(program, *options); };
}

}  // namespace robust_kbench
