#include "cli/entry_options.hpp"

#include "core/scope_name.hpp"

namespace robust_kbench {

void add_entry_options(CommandLine& command, std::string& task, std::string& direction) {
  command.add_option("--task", task, "Default: every task");
  command.add_option("--direction", direction, "Default: both").one_of({"forward", "backward"});
}

Option add_configs_option(CommandLine& command, std::string& configs, const std::string& usual) {
  return command.add_option("--configs", configs, usual).one_of({"single", "multi", "small"});
}

void add_against_option(CommandLine& command, std::vector<std::string>& against) {
  command
      .add_option("--against", against,
                  "Baselines: eager; compile, of which target compile_packages makes packages; on "
                  "a GPU also empty and graph, and all but empty with _tf32 behind")
      .delimiter(',')
      .capture_default_str();
}

void BeyondListedOptions::apply_to(Scope& of) const {
  of.listed_only = parse_listed_only(scope);
  of.require_shapes = require_shapes;
}

void add_beyond_listed_options(CommandLine& command, BeyondListedOptions& options) {
  command
      .add_option("--scope", options.scope,
                  "listed: only the configs that the task's files list, without drawn configs and "
                  "probes")
      .one_of({std::string(scope_name(false)), std::string(scope_name(true))})
      .capture_default_str();
  command.add_flag("--require-shapes", options.require_shapes,
                   "Reject a kernel that refuses a drawn config or a probe by an error, or a small "
                   "config on CUDA");
}

void add_all_cases_option(CommandLine& command, bool& all_cases) {
  command.add_flag("--all-cases", all_cases,
                   "Go on after the third case that fails; a second timeout, or a second lack of "
                   "GPU memory, is the end all the same");
}

}  // namespace robust_kbench
