#pragma once

#include "cli/import/importer_program.hpp"
#include "command/command_line.hpp"
#include "command/program.hpp"
#include "report/page_paths.hpp"

// One function a subcommand. Each adds its flags to the parser, and returns what the command does
// after parsing, which gives the exit code.
namespace robust_kbench {

Action add_list_command(const Program& program, CommandLine& command);
Action add_doctor_command(const Program& program, CommandLine& command);
Action add_compile_command(const Program& program, CommandLine& command);
Action add_test_command(const Program& program, CommandLine& command);
Action add_bench_command(const Program& program, CommandLine& command);
Action add_evaluate_command(const Program& program, const ImporterProgram& importer,
                            CommandLine& command);
Action add_profile_command(const Program& program, CommandLine& command);
Action add_compare_command(const Program& program, CommandLine& command);
Action add_report_command(const Program& program, const PagePaths& page, CommandLine& command);
Action add_import_command(const Program& program, const ImporterProgram& importer,
                          CommandLine& command);
Action add_compile_baseline_command(const Program& program, const ImporterProgram& importer,
                                    CommandLine& command);
Action add_new_command(const Program& program, CommandLine& command);
Action add_demo_command(const Program& program, CommandLine& command);

}  // namespace robust_kbench
