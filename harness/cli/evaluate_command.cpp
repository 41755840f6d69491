#include <cstdio>

#include "cli/command.hpp"
#include "cli/suite.hpp"
#include "core/error.hpp"
#include "evaluate/evaluate.hpp"
#include "report/progress_line.hpp"
#include "report/summary.hpp"

namespace robust_kbench {
namespace {

struct Options {
  std::string task;
  std::string direction = "forward";
  std::string device;
  std::string configs;
  std::string json;
  bool no_bench = false;
  std::vector<std::string> include_directories, definitions, options, libraries, with_sources;
  std::vector<std::string> kernels;
};

int run(const Program& program, const Options& options) {
  const Suite suite(program.tasks, program.manifest_path);
  const Task& task = suite.task(options.task);
  std::vector<KernelSource> kernels;
  for (const std::string& path : options.kernels) {
    KernelSource kernel = suite.loose_kernel(options.task, options.direction, options.device, path);
    kernel.sources.insert(kernel.sources.end(), options.with_sources.begin(),
                          options.with_sources.end());
    kernel.include_directories = options.include_directories;
    kernel.definitions = options.definitions;
    kernel.options = options.options;
    kernel.libraries = options.libraries;
    kernels.push_back(std::move(kernel));
  }
  std::vector<KernelRecord> records;
  {
    ProgressLine progress;
    for (const KernelSource& kernel : kernels) {
      const std::string& path = kernel.sources.front();
      EvaluateOptions evaluate_options{.bench = !options.no_bench};
      if (!options.configs.empty()) {
        evaluate_options.config_sets = {parse_config_set(options.configs)};
      }
      evaluate_options.replay_command = "rkb test --task " + options.task + " --direction " +
                                        options.direction + " --kernel " + path;
      evaluate_options.on_progress = [&](const std::string& text) {
        progress.update(path + ": " + text);
      };
      records.push_back(evaluate(suite.manifest(), task, kernel, evaluate_options));
      progress.finish(path + ": " + std::string(to_string(records.back().verdict)));
    }
  }
  std::printf("\n%s\n%s%s\n", summary_table(records).c_str(), rejections(records).c_str(),
              totals(records).c_str());
  if (!options.json.empty()) write_json(options.json, record_file(records));
  return exit_code(records);
}

}  // namespace

Run add_evaluate_command(const Program& program, CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--task", options->task, "The operator that the kernels implement")
      ->required();
  command.add_option("--direction", options->direction)
      ->check(CLI::IsMember({"forward", "backward"}))
      ->capture_default_str();
  command.add_option("--device", options->device, "Default: cpu for .cpp, cuda for .cu")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command.add_option("--configs", options->configs, "Default: small on the CPU, multi on CUDA")
      ->check(CLI::IsMember({"single", "multi", "small"}));
  command.add_flag("--no-bench", options->no_bench, "Test, do not time");
  command.add_option("--json", options->json, "Write the records to this file");
  command.add_option("--source", options->with_sources, "A further source file of the kernel");
  command.add_option("-I,--include", options->include_directories);
  command.add_option("-D,--define", options->definitions);
  command.add_option("--option", options->options, "A compiler option, as --option=-funroll-loops");
  command.add_option("--library", options->libraries);
  command.add_option("KERNEL", options->kernels, "Source files, each one kernel")->required();
  return [program, options] { return run(program, *options); };
}

}  // namespace robust_kbench
