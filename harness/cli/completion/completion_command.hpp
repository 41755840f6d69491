#pragma once

#include "command/command_program.hpp"

namespace robust_kbench {

// Adds `rkb completion`. It asks `rkb_agent` what may be typed after the commands of the latter.
void add_completion_command(CommandProgram& rkb);

}  // namespace robust_kbench
