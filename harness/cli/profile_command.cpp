#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupted_run.hpp"
#include "cli/kernel_selection.hpp"
#include "cli/report_options.hpp"
#include "command/common_options.hpp"
#include "command/scope_options.hpp"
#include "core/cancelled.hpp"
#include "evaluate/profile.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/suite.hpp"

namespace robust_kbench {
namespace {

struct ProfileCommandOptions {
  KernelSelection selection;
  std::string case_name, configs;
  std::vector<std::string> tools;
  ReportOptions report;
};

int run_profile(const Program& program, const ProfileCommandOptions& options) {
  const InterruptStop interrupt;  // before any other thread starts
  Reporters reporters = reporters_of(options.report);
  const Suite suite(program.tasks, program.manifest_path);
  ProfileOptions profile_options{.profilers = options.tools, .only_case = options.case_name};
  profile_options.stop = interrupt.token();
  if (!options.configs.empty()) profile_options.config_sets = {parse_config_set(options.configs)};
  const std::vector<KernelSource> kernels = selected_kernels(suite, options.selection);
  load_torch_for(suite.manifest(), kernels);
  reporters.begin({.kernels = kernels.size()});
  std::vector<KernelRecord> records;
  for (const KernelSource& kernel : kernels) {
    profile_options.on_progress = [&](const std::string& text, double share) {
      reporters.progress(kernel.entry.name() + "." + kernel.name, text, share);
    };
    try {
      for (KernelRecord& record :
           profile(suite.manifest(), suite.task(kernel.entry.task), kernel, profile_options)) {
        reporters.finished(record);
        records.push_back(std::move(record));
      }
    } catch (const Cancelled&) {
      break;
    }
  }
  reporters.end(records);
  if (interrupt.signal() != 0) return end_interrupted(interrupt);
  return exit_code(records);
}

}  // namespace

Action add_profile_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<ProfileCommandOptions>();
  add_selection_options(command, options->selection);
  const Option configs =
      add_configs_option(command, options->configs, "single, for CUPTI and Nsight Compute");
  add_common_option(command, "--case", options->case_name,
                    "for CUPTI, Nsight Compute and the sanitizers")
      .excludes(configs);
  command.add_option("--tools", options->tools, "Ask only these; default: all that are here")
      .delimiter(',')
      .one_of(profiler_names());
  add_report_options(command, options->report);
  return [program, options] { return run_profile(program, *options); };
}

}  // namespace robust_kbench
