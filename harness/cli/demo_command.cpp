#include <chrono>
#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupted_run.hpp"
#include "cli/report_options.hpp"
#include "cli/shown_path.hpp"
#include "command/common_options.hpp"
#include "command/scope_options.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/installation.hpp"
#include "core/output_file.hpp"
#include "core/own_command.hpp"
#include "device/cpu.hpp"
#include "evaluate/build.hpp"
#include "evaluate/evaluator_cache.hpp"
#include "evaluate/progress_share.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/suite.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Timing takes most of a demo, so a short one does not time more kernels.
constexpr std::size_t timed_in_short_demo = 3;

struct DemoCommandOptions {
  bool all = false;
  BeyondListedOptions beyond_listed{.scope = std::string(to_string(Coverage::quick))};
  ReportOptions report;
};

// Says how many were left out and why.
std::string leave_out_what_cannot_run(std::vector<KernelSource>& kernels,
                                      const Toolchain& toolchain) {
  std::string reason;
  const std::size_t count = std::erase_if(kernels, [&](const KernelSource& kernel) {
    const std::string skipped = skip_reason(kernel, toolchain);
    if (!skipped.empty()) reason = skipped;
    return !skipped.empty();
  });
  return count == 0 ? "" : fmt::format("Left out: {}, since {}.", counted(count, "kernel"), reason);
}

// The path of the wrong kernel's source, where a build or an installation has it.
fs::path wrong_kernel() {
  const fs::path files = installed_files();
  return files.empty() ? fs::path(RKB_WRONG_KERNEL) : files / "wrong_cross_entropy.cpp";
}

std::string title_of(const std::vector<KernelSource>& kernels, const DemoCommandOptions& options) {
  const CpuFacts cpu = cpu_facts();
  const std::string machine =
      fmt::format("{}, {}", cpu.model, counted(cpu.usable_cpus.size(), "thread"));
  if (options.all) {
    return fmt::format("Testing and timing {} on {}, against torch's eager mode.",
                       counted(kernels.size(), "kernel"), machine);
  }
  return fmt::format(
      "Testing {} on {}, one case of each kind, and timing the first {} against torch's eager "
      "mode.\n`{} demo --all` tests all cases and times all kernels.",
      counted(kernels.size(), "kernel"), machine, std::min(kernels.size(), timed_in_short_demo),
      own_command());
}

// Evaluates a wrong kernel that typical data does not tell from a right one. Does nothing where the
// build lacks its task, or the example's source. Throws HarnessError where it passes.
void show_wrong_kernel(const Suite& suite, const DemoCommandOptions& options,
                       const std::stop_token& stop) {
  const Entry entry{"mnist_cross_entropy", Direction::forward};
  const bool known = std::ranges::any_of(
      suite.manifest().tasks, [&](const TaskDirectory& task) { return task.name == entry.task; });
  if (!known || !fs::exists(wrong_kernel())) return;
  const KernelSource kernel = suite.loose_kernel(
      entry.task, std::string(to_string(entry.direction)), "cpu", wrong_kernel());
  Reporters reporters = reporters_of({.format = options.report.format, .junit = {}, .json = {}});
  reporters.begin(
      {.title = "\nA wrong kernel, which is right on typical data:", .kernels = 1, .files = true});
  Request request{.stages = {Stage::compile, Stage::test}, .stop = stop};
  options.beyond_listed.apply_to(request.scope);
  const KernelRecord record = EvaluatorCache(suite).of(kernel).submit(kernel, request);
  reporters.finished(record);
  reporters.end({record});
  if (record.judgement.passes()) throw HarnessError(kernel.name + " is wrong and passed");
}

int run_demo(const Program& program, DemoCommandOptions options) {
  if (options.all) options.beyond_listed.scope = to_string(Coverage::full);
  const InterruptStop interrupt;  // before any other thread starts
  Reporters reporters = reporters_of(options.report);
  const Suite suite(program.tasks, program.manifest_path);
  const std::string directory = results_directory(suite.manifest().path) / "records";
  std::vector<KernelSource> kernels = suite.kernels("", "", "");
  const std::string left_out = leave_out_what_cannot_run(kernels, suite.manifest().toolchain);
  std::string title = title_of(kernels, options);
  if (!left_out.empty()) title += "\n" + left_out;
  reporters.begin({.title = title, .kernels = kernels.size()});
  require_built(suite.manifest(), kernels);
  load_torch_for(suite.manifest(), kernels);
  const auto start = Clock::now();
  std::vector<KernelRecord> records;
  EvaluatorCache evaluators(suite);
  for (const KernelSource& kernel : kernels) {
    const std::string name = kernel.entry.name() + "." + kernel.name;
    const OutputFile json(fmt::format("{}/{}.json", directory, name));
    Request request;
    if (!options.all && records.size() >= timed_in_short_demo) request.stages.erase(Stage::time);
    options.beyond_listed.apply_to(request.scope);
    request.stop = interrupt.token();
    request.on_progress = [&](const Progress& made) {
      reporters.progress(name, made.text, share_done(made, kernel, request.stages));
    };
    records.push_back(evaluators.of(kernel).submit(kernel, request));
    reporters.finished(records.back());
    if (interrupt.signal() != 0) break;
    json.write(record_file({records.back()}));
  }
  reporters.end(records);
  if (interrupt.signal() == 0) show_wrong_kernel(suite, options, interrupt.token());
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  std::fprintf(stderr, "%.0f s; records: %s\n", elapsed.count(), shown_path(directory).c_str());
  if (interrupt.signal() != 0) return end_interrupted(interrupt);
  return exit_code(records);
}

}  // namespace

Action add_demo_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<DemoCommandOptions>();
  add_beyond_listed_options(command, options->beyond_listed);
  add_common_option(command, "--all", options->all, "test all cases, and time all kernels");
  add_report_options(command, options->report);
  return [program, options] { return run_demo(program, *options); };
}

}  // namespace robust_kbench
