#pragma once

#include <string>
#include <vector>

#include "command/command_line.hpp"

namespace robust_kbench {

// Returns the script by which a shell (bash, zsh or fish) completes these commands. The first is
// the program, whose options may follow each of the others.
std::string completion_script(const std::string& shell,
                              const std::vector<CompletedCommand>& commands);

}  // namespace robust_kbench
