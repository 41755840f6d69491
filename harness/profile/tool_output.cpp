#include "profile/tool_output.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "core/text_file.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {

ToolOutput run_tool(const std::vector<std::string>& command, std::chrono::seconds timeout) {
  constexpr std::uintmax_t max_bytes = std::uintmax_t{64} << 20;
  const TemporaryDirectory directory("tool");
  const std::filesystem::path file = directory.path() / "output";
  std::vector<std::string> redirected{"/bin/sh", "-c", R"(out=$1; shift; exec "$@" >"$out" 2>&1)",
                                      "sh", file.string()};
  redirected.insert(redirected.end(), command.begin(), command.end());
  const CommandResult result = run_command(redirected, timeout);
  if (result.timed_out) {
    throw UserError(command.front() + " ran longer than " + std::to_string(timeout.count()) +
                    " s; give it a smaller kernel");
  }
  if (std::filesystem::file_size(file) > max_bytes) {
    throw UserError(command.front() + " wrote more than 64 MiB; give it a smaller kernel");
  }
  return {.exit_code = result.exit_code, .text = read_text(file).value_or("")};
}

}  // namespace robust_kbench
