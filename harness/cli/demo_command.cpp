#include <chrono>
#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/evaluators.hpp"
#include "cli/suite.hpp"
#include "core/output_file.hpp"
#include "device/cpu.hpp"
#include "evaluate/build.hpp"
#include "evaluate/requirements.hpp"
#include "report/progress_line.hpp"
#include "report/summary.hpp"

#include <fmt/format.h>

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
  return count == 0 ? "" : fmt::format("{} kernels are left out: {}.\n", count, reason);
}

int run(const Program& program, std::string directory) {
  const Suite suite(program.tasks, program.manifest_path);
  if (directory.empty()) {
    directory =
        std::filesystem::path(suite.manifest().path).parent_path().parent_path().parent_path() /
        "records";
  }
  std::vector<KernelSource> kernels = suite.kernels("", "", "");
  const std::string left_out = leave_out_what_cannot_run(kernels, suite.manifest().toolchain);
  const CpuFacts cpu = cpu_facts();
  std::printf("Testing and timing %zu kernels on %s, %zu threads, against torch's eager mode.\n",
              kernels.size(), cpu.model.c_str(), cpu.usable_cpus.size());
  std::printf("%s", left_out.c_str());
  std::fflush(stdout);
  require_built(suite.manifest(), kernels);
  load_torch_for(suite.manifest(), kernels);
  const auto start = std::chrono::steady_clock::now();
  std::vector<KernelRecord> records;
  {
    ProgressLine progress;
    Evaluators evaluators(suite);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const KernelSource& kernel = kernels[i];
      const std::string name = kernel.entry.name() + "." + kernel.name;
      const std::string prefix = fmt::format("[{:2}/{}] {}", i + 1, kernels.size(), name);
      const OutputFile json(fmt::format("{}/{}.json", directory, name));
      records.push_back(
          evaluators.of(kernel).submit(kernel, {.on_progress = [&](const Progress& made) {
                                         progress.update(prefix + ": " + made.text);
                                       }}));
      json.write(record_file({records.back()}));
      progress.finish(prefix + ": " + std::string(to_string(records.back().verdict)));
    }
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("\n%s\n%s%s, in %.0f s\nRecords: %s\n", summary_table(records).c_str(),
              rejections(records).c_str(), totals(records).c_str(), elapsed.count(),
              directory.c_str());
  return exit_code(records);
}

}  // namespace

Run add_demo_command(const Program& program, CommandLine& command) {
  const auto directory = std::make_shared<std::string>();
  command.add_option("--records", *directory, "Where records go; default: records/ of the build");
  return [program, directory] { return run(program, *directory); };
}

}  // namespace robust_kbench
