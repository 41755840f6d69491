#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "command/agent_commands.hpp"
#include "llm/helper_program.hpp"
#include "process/command.hpp"

namespace robust_kbench {

// The helper from the sources, without a Python to run it with.
inline const HelperProgram helper_of_sources{.sources = RKB_LLM, .venv = {}, .python = {}};

// Runs `rkb` with these arguments. For a command of `rkb_agent` it starts that program, to which
// `rkb` would hand over, so that torch starts once.
inline CommandResult rkb(std::vector<std::string> arguments) {
  const std::string command = arguments.empty() ? "" : arguments.front();
  const bool is_of_agent =
      std::ranges::find(agent_commands, command, &AgentCommand::name) != agent_commands.end();
  arguments.insert(arguments.begin(), is_of_agent ? RKB_AGENT_PROGRAM : RKB_PROGRAM);
  return run_command(arguments, std::chrono::minutes{2});
}

inline std::filesystem::path manifest_of_build() {
  if (const char* given = std::getenv("ROBUST_KBENCH_MANIFEST")) return given;
  return std::filesystem::path(RKB_PROGRAM).parent_path().parent_path() /
         "share/robust_kbench/manifest.json";
}

}  // namespace robust_kbench
