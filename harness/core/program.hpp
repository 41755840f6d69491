#pragma once

#include <functional>

namespace robust_kbench {

// The body of main(). Returns the exit code of `run`. An exception becomes a line on stderr that
// begins with the program's name. The exit code is then ExitCode::usage for a UserError, else
// ExitCode::harness_error.
int run_program(const char* name, const std::function<int()>& run);

}  // namespace robust_kbench
