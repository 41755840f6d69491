#pragma once

#include <functional>
#include <string>

namespace robust_kbench {

// Tells an error that ends a program with this code.
using TellError = std::function<void(int exit_code, const std::string& message)>;

// The body of main(). Returns the exit code of `run`. For an exception it is ExitCode::usage for a
// UserError, else ExitCode::harness_error. Without `tell` a line on stderr tells the exception, and
// begins with the program's name.
int run_program(const char* name, const std::function<int()>& run, const TellError& tell = {});

}  // namespace robust_kbench
