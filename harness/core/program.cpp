#include "core/program.hpp"

#include <cstdio>
#include <exception>

#include "core/error.hpp"

namespace robust_kbench {

int run_program(const char* name, const std::function<int()>& run) {
  try {
    return run();
  } catch (const UserError& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return ExitCode::usage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: the harness failed: %s\n", name, error.what());
    return ExitCode::harness_error;
  }
}

}  // namespace robust_kbench
