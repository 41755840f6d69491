#include "cli/hand_over.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "command/agent_commands.hpp"
#include "core/build_command.hpp"
#include "core/error.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// Returns the command that the words name, or that they ask help about. Empty where there is none.
std::string named_command(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--manifest") {
      ++i;  // its value
    } else if (word != "help" && !word.starts_with('-')) {
      return word;
    }
  }
  return "";
}

}  // namespace

void hand_over_to_agent(int argc, char** argv) {
  const std::string command = named_command(argc, argv);
  if (std::ranges::find(agent_commands, command, &AgentCommand::name) == agent_commands.end()) {
    return;
  }
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "rkb_agent";
  execv(program.c_str(), argv);
  if (!fs::exists(program)) {
    throw UserError("`rkb " + command + "` is a command of " + program.string() +
                    ", which is not built; build it: " + build_command(program, "rkb_agent"));
  }
  throw system_failure(program.string() + " cannot be started");
}

}  // namespace robust_kbench
