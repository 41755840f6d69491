#include "cli/hand_over.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "cli/agent_path.hpp"
#include "command/agent_commands.hpp"
#include "core/error.hpp"

namespace robust_kbench {
namespace {

// Returns the command that the words name, or that they ask help about. Empty where there is none.
std::string named_command(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--manifest" || word == "--color") {
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
  const std::filesystem::path program = agent_path();
  require_agent(program, "`rkb " + command + "`");
  execv(program.c_str(), argv);
  throw system_failure(program.string() + " cannot be started");
}

}  // namespace robust_kbench
