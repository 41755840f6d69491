#include <memory>
#include <string>

#include "agent/agent_program.hpp"
#include "command/command_line.hpp"
#include "core/error.hpp"
#include "filter/complete_package.hpp"

namespace robust_kbench {

Action add_complete_package_command(const AgentProgram&, CommandLine& command) {
  const auto package = std::make_shared<std::string>();
  const auto scratch = std::make_shared<std::string>();
  command.add_option("PACKAGE", *package).required();
  command.add_option("SCRATCH", *scratch).required();
  return [package, scratch] {
    complete_package(*package, *scratch);
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
