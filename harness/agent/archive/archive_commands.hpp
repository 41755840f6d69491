#pragma once

#include "agent/agent_program.hpp"
#include "command/command_line.hpp"
#include "command/program.hpp"

// Adds the commands of `rkb archive`. Each function is like those of cli/command.hpp.
namespace robust_kbench {

Action add_archive_list_command(const Program& program, CommandLine& command);
Action add_archive_report_command(const AgentProgram& program, CommandLine& command);
Action add_archive_show_command(const Program& program, CommandLine& command);
Action add_archive_costs_command(const Program& program, CommandLine& command);
Action add_archive_diff_command(const Program& program, CommandLine& command);
Action add_archive_export_command(const Program& program, CommandLine& command);
Action add_archive_best_command(const Program& program, CommandLine& command);
Action add_archive_adopt_command(const Program& program, CommandLine& command);
Action add_archive_generalise_command(const Program& program, CommandLine& command);

}  // namespace robust_kbench
