#pragma once

#include "command/command_line.hpp"
#include "command/program.hpp"
#include "llm/helper_program.hpp"
#include "report/page_paths.hpp"

// The commands of `rkb_agent`, as cli/command.hpp has those of `rkb`.
namespace robust_kbench {

struct AgentProgram : Program {
  const HelperProgram& helper;  // for language models
  const PagePaths& page;
};

Action add_serve_command(const AgentProgram& program, CommandLine& command);
Action add_filter_command(const AgentProgram& program, CommandLine& command);
Action add_evolve_command(const AgentProgram& program, CommandLine& command);
Action add_submit_command(const AgentProgram& program, CommandLine& command);  // of evolve
Action add_pilot_command(const AgentProgram& program, CommandLine& command);
Action add_tune_command(const AgentProgram& program, CommandLine& command);
Action add_translate_command(const AgentProgram& program, CommandLine& command);
Action add_verify_command(const AgentProgram& program, CommandLine& command);
Action add_tune_verifier_command(const AgentProgram& program, CommandLine& command);
Action add_archive_command(const AgentProgram& program, CommandLine& command);
// Hidden: judges an imported package, which `rkb import` and `rkb evaluate --problem` made.
Action add_complete_package_command(const AgentProgram& program, CommandLine& command);
// Hidden: writes the records of an archive's winners to a file, for `rkb compare`.
Action add_winners_command(const AgentProgram& program, CommandLine& command);
// Hidden: the coordinator of `rkb evaluate --workers`.
Action add_evaluate_on_pilots_command(const AgentProgram& program, CommandLine& command);
// Hidden: evaluates candidates of a run on one of several GPUs.
Action add_evaluation_backend_command(const AgentProgram& program, CommandLine& command);

}  // namespace robust_kbench
