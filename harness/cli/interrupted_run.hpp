#pragma once

#include <string>
#include <vector>

#include "process/interrupt.hpp"

namespace robust_kbench {

// Says on stderr that a signal stopped the run, and by which command it begins again. That command
// leaves out `done`, the words for what needs no second run. Returns the program's exit code, as a
// shell has it of a program that the signal ended: 130 after Ctrl-C.
int end_interrupted(const InterruptStop& interrupt, const std::vector<std::string>& done = {});

}  // namespace robust_kbench
