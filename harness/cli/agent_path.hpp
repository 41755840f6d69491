#pragma once

#include <filesystem>
#include <string>

namespace robust_kbench {

// The program `rkb_agent`, which lies beside this one. `rkb` can be built and used without it.
std::filesystem::path agent_path();

// Throws UserError where `agent` is not built, which says that `who` needs it.
void require_agent(const std::filesystem::path& agent, const std::string& who);

}  // namespace robust_kbench
