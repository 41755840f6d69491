#pragma once

#include <string>

#include "core/own_command.hpp"
#include "process/interrupt.hpp"

namespace robust_kbench {

// Says on stderr that a signal stopped the run, and the command that goes on. Returns the program's
// exit code, as a shell has it of a program that the signal ended: 130 after Ctrl-C.
int end_interrupted(const InterruptStop& interrupt,
                    const std::string& going_on = own_command_line());

}  // namespace robust_kbench
