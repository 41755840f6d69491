#include "core/program.hpp"

#include <cstdio>
#include <exception>

#include "core/error.hpp"

namespace robust_kbench {

int run_program(const char* name, const std::function<int()>& run, const TellError& tell) {
  const auto ends_with = [&](int exit_code, const std::string& message) {
    if (tell) {
      tell(exit_code, message);
    } else {
      std::fprintf(stderr, "%s: %s\n", name, message.c_str());
    }
    return exit_code;
  };
  try {
    return run();
  } catch (const UserError& error) {
    return ends_with(ExitCode::usage, error.what());
  } catch (const std::exception& error) {
    return ends_with(ExitCode::harness_error, std::string("the harness failed: ") + error.what());
  }
}

}  // namespace robust_kbench
