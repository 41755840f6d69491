#include <cstdio>

#include "cli/command.hpp"
#include "cli/suite.hpp"
#include "core/error.hpp"
#include "evaluate/evaluate.hpp"
#include "report/progress_line.hpp"
#include "report/summary.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

struct Options {
  std::string task, direction, kernel, configs = "small", json;
  bool compile_baseline = false;
};

int run(const Program& program, const Options& options) {
  const Suite suite(program.tasks, program.manifest_path);
  std::vector<KernelRecord> records;
  ProgressLine progress;
  for (const KernelSource& kernel :
       suite.kernels(options.task, options.direction, options.kernel)) {
    const std::string name = kernel.entry.name() + "." + kernel.name;
    EvaluateOptions evaluate_options;
    evaluate_options.config_sets = {parse_config_set(options.configs)};
    // One seed suffices here: it is the test of the kernel that asks for five.
    evaluate_options.seeds = 1;
    evaluate_options.compile_baseline = options.compile_baseline;
    evaluate_options.on_progress = [&](const std::string& text) {
      progress.update(name + ": " + text);
    };
    records.push_back(
        evaluate_built(suite.manifest(), suite.task(kernel.entry.task), kernel, evaluate_options));
    progress.finish(name + ": " + std::string(to_string(records.back().verdict)));
    std::printf("%s\n", timing_table(records.back()).c_str());
  }
  std::printf("%s\n%s%s\n", summary_table(records).c_str(), rejections(records).c_str(),
              totals(records).c_str());
  if (!options.json.empty()) write_json(options.json, record_file(records));
  return exit_code(records);
}

}  // namespace

Run add_bench_command(const Program& program, CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--task", options->task, "Default: every task");
  command.add_option("--direction", options->direction, "Default: both")
      ->check(CLI::IsMember({"forward", "backward"}));
  command.add_option("--kernel", options->kernel, "Name of a kernel of the build; default: all");
  command.add_option("--configs", options->configs)
      ->check(CLI::IsMember({"single", "multi", "small"}))
      ->capture_default_str();
  command.add_flag("--compile", options->compile_baseline,
                   "Also against torch.compile packages (target compile_packages makes them)");
  command.add_option("--json", options->json, "Write the records to this file");
  return [program, options] { return run(program, *options); };
}

}  // namespace robust_kbench
