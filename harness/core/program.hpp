#pragma once

#include <functional>

namespace robust_kbench {

// What main() does: the exit code of `run`. What it throws becomes a line on stderr that begins
// with the program's name, and ExitCode::usage for a UserError, else ExitCode::harness_error.
int run_program(const char* name, const std::function<int()>& run);

}  // namespace robust_kbench
