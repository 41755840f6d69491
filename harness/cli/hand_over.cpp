#include "cli/hand_over.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

#include "cli/agent_path.hpp"
#include "command/agent_commands.hpp"
#include "core/error.hpp"

namespace robust_kbench {
namespace {

// Returns the command that the words name, or that they ask help about. Empty where there is none.
std::string_view named_command(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--manifest" || word == "--color") {
      ++i;  // its value
    } else if (word != "help" && !word.starts_with('-')) {
      return word;
    }
  }
  return "";
}

bool names_agent_command(std::string_view command) {
  return std::ranges::any_of(agent_commands,
                             [&](const AgentCommand& known) { return command == known.name; });
}

}  // namespace

void hand_over_to_agent(int argc, char** argv) {
  const std::string command(named_command(argc, argv));
  if (!names_agent_command(command)) return;
  const std::filesystem::path program = agent_path();
  require_agent(program, "`rkb " + command + "`");
  execv(program.c_str(), argv);
  throw system_failure(program.string() + " cannot be started");
}

// Nothing here needs the C or the C++ library to have been initialised, as `environ` does.
void hand_over_early(int argc, char** argv, char** environment) {
  if (!names_agent_command(named_command(argc, argv))) return;
  std::array<char, 4096> program{};
  constexpr std::string_view agent = "rkb_agent";
  const ssize_t length =
      readlink("/proc/self/exe", program.data(), program.size() - agent.size() - 1);
  if (length <= 0) return;
  char* const slash = std::strrchr(program.data(), '/');
  if (slash == nullptr) return;
  slash[1 + agent.copy(slash + 1, agent.size())] = '\0';
  execve(program.data(), argv, environment);
}

}  // namespace robust_kbench
