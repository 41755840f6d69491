#include "cli/entry_options.hpp"

namespace robust_kbench {

void add_entry_options(CLI::App& command, std::string& task, std::string& direction) {
  command.add_option("--task", task, "Default: every task");
  command.add_option("--direction", direction, "Default: both")
      ->check(CLI::IsMember({"forward", "backward"}));
}

}  // namespace robust_kbench
