#pragma once

#include <functional>
#include <string>

#include "cli/command_line.hpp"
#include "cli/import/importer_program.hpp"
#include "llm/helper_program.hpp"

// One function a subcommand. Each adds its flags to the parser, and returns what the command does
// after parsing, which gives the exit code.
namespace robust_kbench {

class TaskRegistry;

using Action = std::function<int()>;

struct Program {
  TaskRegistry& tasks;
  std::string& manifest_path;   // of --manifest; read it only when running
  const HelperProgram& helper;  // for language models
};

Action add_list_command(const Program& program, CommandLine& command);
Action add_doctor_command(const Program& program, CommandLine& command);
Action add_compile_command(const Program& program, CommandLine& command);
Action add_test_command(const Program& program, CommandLine& command);
Action add_bench_command(const Program& program, CommandLine& command);
Action add_evaluate_command(const Program& program, const ImporterProgram& importer,
                            CommandLine& command);
Action add_filter_command(const Program& program, CommandLine& command);
Action add_serve_command(const Program& program, CommandLine& command);
Action add_profile_command(const Program& program, CommandLine& command);
Action add_report_command(const Program& program, CommandLine& command);
Action add_import_command(const Program& program, const ImporterProgram& importer,
                          CommandLine& command);
Action add_compile_baseline_command(const Program& program, const ImporterProgram& importer,
                                    CommandLine& command);
Action add_evolve_command(const Program& program, CommandLine& command);
Action add_submit_command(const Program& program, CommandLine& command);  // of evolve
// Hidden: evaluates candidates of a run on one of several GPUs.
Action add_evaluation_backend_command(const Program& program, CommandLine& command);
Action add_tune_command(const Program& program, CommandLine& command);
Action add_translate_command(const Program& program, CommandLine& command);
Action add_verify_command(const Program& program, CommandLine& command);
Action add_tune_verifier_command(const Program& program, CommandLine& command);
Action add_new_command(const Program& program, CommandLine& command);
Action add_demo_command(const Program& program, CommandLine& command);
Action add_archive_command(const Program& program, CommandLine& command);

}  // namespace robust_kbench
