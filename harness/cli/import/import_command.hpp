#pragma once

#include "cli/command.hpp"
#include "cli/import/importer_program.hpp"

namespace robust_kbench {

// Adds the command. The importer outlives the parsing.
Action add_import_command(const Program& program, const ImporterProgram& importer,
                          CommandLine& command);

}  // namespace robust_kbench
