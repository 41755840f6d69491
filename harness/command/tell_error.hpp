#pragma once

#include <string>

namespace robust_kbench {

// An error that ends a program with this code.
struct ProgramError {
  int exit_code;
  std::string message;
};

// Returns whether the words ask for results as JSON on stdout, by `--json -`.
bool wants_json(int argc, const char* const* argv);

// Tells an error on stderr as "PROGRAM: MESSAGE". With `json` it also prints an object on stdout:
// {"error": {"exit_code": 2, "message": "..."}}.
void tell_error(const std::string& program, const ProgramError& error, bool json);

}  // namespace robust_kbench
