#pragma once

#include "cli/command.hpp"
#include "cli/import/importer_program.hpp"

namespace robust_kbench {

// The importer outlives the parsing.
Run add_compile_baseline_command(const Program& program, const ImporterProgram& importer,
                                 CommandLine& command);

}  // namespace robust_kbench
