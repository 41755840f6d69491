#include <cstdio>

#include "cli/command.hpp"
#include "cli/entry_options.hpp"
#include "cli/source_options.hpp"
#include "cli/suite.hpp"
#include "core/output_file.hpp"
#include "evaluate/profile.hpp"
#include "evaluate/requirements.hpp"
#include "report/profile_summary.hpp"
#include "report/progress_line.hpp"

namespace robust_kbench {
namespace {

struct Options {
  std::string task, direction, kernel, case_name, configs, json;
  std::vector<std::string> tools;
  SourceOptions source;
};

int run(const Program& program, const Options& options) {
  const OutputFile json(options.json);
  const Suite suite(program.tasks, program.manifest_path);
  ProfileOptions profile_options{.profilers = options.tools, .only_case = options.case_name};
  if (!options.configs.empty()) profile_options.config_sets = {parse_config_set(options.configs)};
  const std::vector<KernelSource> kernels =
      suite.select(options.task, options.direction, options.kernel, options.source);
  load_torch_for(suite.manifest(), kernels);
  std::vector<ProfileRecord> records;
  for (const KernelSource& kernel : kernels) {
    std::vector<ProfileRecord> found;
    {
      ProgressLine progress;
      profile_options.on_progress = [&](const std::string& text) {
        progress.update(kernel.entry.name() + "." + kernel.name + ": " + text);
      };
      found = profile(suite.manifest(), suite.task(kernel.entry.task), kernel, profile_options);
    }
    for (const ProfileRecord& record : found) std::printf("%s\n", profile_summary(record).c_str());
    records.insert(records.end(), found.begin(), found.end());
  }
  json.write(profile_file(records));
  return exit_code(records);
}

}  // namespace

Run add_profile_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<Options>();
  add_entry_options(command, options->task, options->direction);
  command.add_option("--kernel", options->kernel,
                     "Name of a kernel of the build, or path of a source file; default: all");
  const Option configs = add_configs_option(command, options->configs,
                                            "For CUPTI and Nsight Compute; default: single");
  command
      .add_option("--case", options->case_name,
                  "One case by name, for CUPTI, Nsight Compute and the sanitizers")
      .excludes(configs);
  command.add_option("--tools", options->tools, "Ask only these; default: all that are here")
      .delimiter(',')
      .one_of(profiler_names());
  add_source_options(command, options->source);
  command.add_option("--json", options->json, "Write findings and advice to this file");
  return [program, options] { return run(program, *options); };
}

}  // namespace robust_kbench
