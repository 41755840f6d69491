#include <chrono>
#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/evaluators.hpp"
#include "cli/interrupted_run.hpp"
#include "cli/report_options.hpp"
#include "cli/scope_options.hpp"
#include "cli/shown_path.hpp"
#include "cli/suite.hpp"
#include "core/counted.hpp"
#include "core/output_file.hpp"
#include "device/cpu.hpp"
#include "evaluate/build.hpp"
#include "evaluate/requirements.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

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

struct DemoCommandOptions {
  BeyondListedOptions beyond_listed;
  ReportOptions report;
};

std::string records_directory(const Manifest& manifest) {
  return std::filesystem::path(manifest.path).parent_path().parent_path().parent_path() / "records";
}

int run_demo(const Program& program, const DemoCommandOptions& options) {
  const InterruptStop interrupt;  // before any other thread starts
  Reporters reporters = reporters_of(options.report);
  const Suite suite(program.tasks, program.manifest_path);
  const std::string directory = records_directory(suite.manifest());
  std::vector<KernelSource> kernels = suite.kernels("", "", "");
  const std::string left_out = leave_out_what_cannot_run(kernels, suite.manifest().toolchain);
  const CpuFacts cpu = cpu_facts();
  reporters.begin({.title = fmt::format("Testing and timing {} on {}, {}, against torch's eager "
                                        "mode.{}{}",
                                        counted(kernels.size(), "kernel"), cpu.model,
                                        counted(cpu.usable_cpus.size(), "thread"),
                                        left_out.empty() ? "" : "\n", left_out),
                   .kernels = kernels.size()});
  require_built(suite.manifest(), kernels);
  load_torch_for(suite.manifest(), kernels);
  const auto start = std::chrono::steady_clock::now();
  std::vector<KernelRecord> records;
  Evaluators evaluators(suite);
  for (const KernelSource& kernel : kernels) {
    const std::string name = kernel.entry.name() + "." + kernel.name;
    const OutputFile json(fmt::format("{}/{}.json", directory, name));
    Request request;
    options.beyond_listed.apply_to(request.scope);
    request.stop = interrupt.token();
    request.on_progress = [&](const Progress& made) { reporters.progress(name, made.text); };
    records.push_back(evaluators.of(kernel).submit(kernel, request));
    reporters.finished(records.back());
    if (interrupt.signal() != 0) break;
    json.write(record_file({records.back()}));
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  reporters.end(records);
  std::fprintf(stderr, "%.0f s; records: %s\n", elapsed.count(), shown_path(directory).c_str());
  if (interrupt.signal() != 0) return end_interrupted(interrupt);
  return exit_code(records);
}

}  // namespace

Run add_demo_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<DemoCommandOptions>();
  add_beyond_listed_options(command, options->beyond_listed);
  add_report_options(command, options->report);
  return [program, options] { return run_demo(program, *options); };
}

}  // namespace robust_kbench
