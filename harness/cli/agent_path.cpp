#include "cli/agent_path.hpp"

#include "core/build_command.hpp"
#include "core/error.hpp"

namespace robust_kbench {

namespace fs = std::filesystem;

fs::path agent_path() {
  return fs::read_symlink("/proc/self/exe").parent_path() / "rkb_agent";
}

void require_agent(const fs::path& agent, const std::string& who) {
  if (fs::exists(agent)) return;
  throw UserError(who + " needs " + agent.string() +
                  ", which is not built; build it: " + build_command(agent, "rkb_agent"));
}

}  // namespace robust_kbench
