#include "cli/command.hpp"
#include "cli/entry_options.hpp"
#include "cli/report_options.hpp"
#include "cli/source_options.hpp"
#include "cli/suite.hpp"
#include "core/output_file.hpp"
#include "evaluate/profile.hpp"
#include "evaluate/requirements.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

struct ProfileCommandOptions {
  std::string task, direction, kernel, case_name, configs, json;
  std::vector<std::string> tools;
  SourceOptions source;
  ReportOptions report;
};

int run_profile(const Program& program, const ProfileCommandOptions& options) {
  const OutputFile json(options.json);
  const Suite suite(program.tasks, program.manifest_path);
  ProfileOptions profile_options{.profilers = options.tools, .only_case = options.case_name};
  if (!options.configs.empty()) profile_options.config_sets = {parse_config_set(options.configs)};
  const std::vector<KernelSource> kernels =
      suite.select(options.task, options.direction, options.kernel, options.source);
  load_torch_for(suite.manifest(), kernels);
  Reporters reporters = reporters_of(options.report);
  reporters.begin({.kernels = kernels.size()});
  std::vector<KernelRecord> records;
  for (const KernelSource& kernel : kernels) {
    profile_options.on_progress = [&](const std::string& text) {
      reporters.progress(kernel.entry.name() + "." + kernel.name, text);
    };
    for (KernelRecord& record :
         profile(suite.manifest(), suite.task(kernel.entry.task), kernel, profile_options)) {
      reporters.finished(record);
      records.push_back(std::move(record));
    }
  }
  reporters.end(records);
  json.write(record_file(records));
  return exit_code(records);
}

}  // namespace

Run add_profile_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<ProfileCommandOptions>();
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
  add_report_options(command, options->report);
  return [program, options] { return run_profile(program, *options); };
}

}  // namespace robust_kbench
