#include <cstdio>
#include <memory>
#include <utility>

#include "cli/command.hpp"
#include "cli/evaluate_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/file_evaluation.hpp"
#include "cli/interrupted_run.hpp"
#include "cli/kept_records.hpp"
#include "cli/kernel_names.hpp"
#include "cli/opponents.hpp"
#include "cli/pilot_evaluation.hpp"
#include "cli/report_options.hpp"
#include "cli/solutions/fast_p.hpp"
#include "cli/solutions/read_solutions.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "evaluate/suite.hpp"
#include "process/interrupt.hpp"

namespace robust_kbench {
namespace {

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

// Returns the solutions of the problem. Throws Cancelled after an interrupt.
ReadSolutions solutions_of(const Suite& suite, const ImporterProgram& importer,
                           const EvaluateCommandOptions& options, const std::stop_token& stop) {
  if (!options.of_problem()) return {.package = options.task, .kernels = {}, .refused = {}};
  SolutionRequest request = options.solutions;
  request.device = options.device;
  ReadSolutions solutions = read_solutions(importer, suite, request, stop);
  std::fprintf(stderr, "%s", refusals_text(solutions.refused).c_str());
  return solutions;
}

// Returns the kernels of the files, or of the solutions, with names that tell them apart.
std::vector<KernelSource> evaluated_kernels(const Suite& suite,
                                            const EvaluateCommandOptions& options,
                                            std::vector<KernelSource> kernels) {
  for (const std::string& path : options.kernels) {
    KernelSource kernel = suite.loose_kernel(options.task, options.direction, options.device, path);
    options.source.apply_to(kernel);
    kernels.push_back(std::move(kernel));
  }
  tell_apart(kernels);
  return kernels;
}

// The options of the fleet decide where the kernels are evaluated.
std::vector<KernelRecord> evaluated(const Suite& suite, const Task& task,
                                    const EvaluateCommandOptions& options,
                                    const std::vector<KernelSource>& kernels, Reporters& reporters,
                                    InterruptStop& interrupt) {
  if (kernels.empty()) return {};
  FileEvaluation evaluation(suite, task, options, kernels);
  if (!options.fleet.is_given()) return evaluation.run(reporters, interrupt);
  return evaluate_on_pilots(suite.manifest().path, kernels, options, reporters, interrupt);
}

int end_interrupted_evaluation(const InterruptStop& interrupt,
                               const EvaluateCommandOptions& options,
                               const std::vector<KernelRecord>& records) {
  if (!options.keeps_records()) {
    return end_interrupted(interrupt, own_command_line(finished_of(options, records)));
  }
  return end_interrupted(interrupt, own_command_line({"--resume"}) + " --resume");
}

// Prints what a console has of solutions alone.
void tell_solutions(const EvaluateCommandOptions& options, const std::vector<KernelRecord>& records,
                    std::size_t refused) {
  if (!options.of_problem() || options.report.format != "console") return;
  std::printf("%s", glue_text(records).c_str());
  if (records.size() + refused > 1) std::printf("%s", fast_p_text(records, refused).c_str());
}

int run_evaluate(const Program& program, const ImporterProgram& importer,
                 const EvaluateCommandOptions& options) {
  check_what_is_evaluated(options);
  InterruptStop interrupt;  // before any other thread starts
  Reporters told = reporters_of(options.report);
  const Suite suite(program.tasks, program.manifest_path);
  ReadSolutions solutions;
  try {
    solutions = solutions_of(suite, importer, options, interrupt.token());
  } catch (const Cancelled&) {
    return 128 + interrupt.signal();
  }
  if (options.of_problem() && solutions.kernels.empty()) return ExitCode::rejected;
  const std::vector<KernelSource> kernels = evaluated_kernels(suite, options, solutions.kernels);
  std::unique_ptr<RecordKeeper> keeper;
  if (options.keeps_records()) {
    keeper = std::make_unique<RecordKeeper>(options.report.json, own_command_line({"--resume"}),
                                            kernels, options.resumes);
  }
  const std::vector<KernelRecord> kept = keeper ? keeper->kept() : std::vector<KernelRecord>();
  Reporters reporters;
  if (keeper) reporters.add(std::move(keeper));  // whatever the others tell is kept before
  reporters.add(std::make_unique<Reporters>(std::move(told)));
  const std::vector<KernelSource> left = without(kernels, kept);
  reporters.begin({.kernels = left.size(),
                   .files = true,
                   .configs_in_full = true,
                   .output_in_full = options.show_output});
  const std::vector<KernelRecord> records = in_order_of(
      kernels, kept,
      evaluated(suite, suite.task(solutions.package), options, left, reporters, interrupt));
  const SlowerKernels slower(options.opponents, records);
  slower.report(reporters);
  reporters.end(records);
  if (interrupt.signal() != 0) return end_interrupted_evaluation(interrupt, options, records);
  if (options.keeps_records()) forget_kept_records(options.report.json);
  tell_solutions(options, records, solutions.refused.size());
  const int code = slower.tell(exit_code(records));
  return !solutions.refused.empty() && code == ExitCode::pass ? ExitCode::rejected : code;
}

}  // namespace

Action add_evaluate_command(const Program& program, const ImporterProgram& importer,
                            CommandLine& command) {
  const auto options = std::make_shared<EvaluateCommandOptions>();
  add_evaluate_options(command, *options);
  return [program, &importer, options] { return run_evaluate(program, importer, *options); };
}

}  // namespace robust_kbench
