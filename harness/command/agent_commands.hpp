#pragma once

#include <array>

namespace robust_kbench {

struct AgentCommand {
  const char* name;
  const char* what;  // in --help
};

// The commands of `rkb_agent`, in the order of --help.
constexpr std::array agent_commands{
    AgentCommand{"serve", "Evaluate sources for other programs, which send JSON lines"},
    AgentCommand{"filter", "Find tasks that can be gamed"},
    AgentCommand{"evolve", "Look for a faster kernel of an entry"},
    AgentCommand{"pilot", "Evaluate candidates of a run that another machine coordinates"},
    AgentCommand{"tune", "The same, only by other values of a kernel's tunables"},
    AgentCommand{"translate", "Have a language model write a right kernel from a reference"},
    AgentCommand{"verify", "Ask language models whether kernels have errors"},
    AgentCommand{"tune-verifier", "Have a language model write better instructions for a verifier"},
    AgentCommand{"archive", "Show and export what evolutions have proposed"},
};

}  // namespace robust_kbench
