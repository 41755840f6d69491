#include "cli/entry_options.hpp"

namespace robust_kbench {

void add_entry_options(CLI::App& command, std::string& task, std::string& direction) {
  command.add_option("--task", task, "Default: every task");
  command.add_option("--direction", direction, "Default: both")
      ->check(CLI::IsMember({"forward", "backward"}));
}

CLI::Option* add_configs_option(CLI::App& command, std::string& configs, const std::string& usual) {
  return command.add_option("--configs", configs, usual)
      ->check(CLI::IsMember({"single", "multi", "small"}));
}

void add_against_option(CLI::App& command, std::vector<std::string>& against) {
  command
      .add_option("--against", against,
                  "Baselines: eager; compile, of which target compile_packages makes packages; on "
                  "a GPU also graph, and each with _tf32 behind")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
}

void add_all_cases_option(CLI::App& command, bool& all_cases) {
  command.add_flag("--all-cases", all_cases,
                   "Go on after the third case that fails; a second timeout, or a second lack of "
                   "GPU memory, is the end all the same");
}

}  // namespace robust_kbench
