#include "profile/tool_output.hpp"

#include "compile/compiler_enclosure.hpp"
#include "compile/compiler_limits.hpp"
#include "core/error.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {

ToolOutput run_tool(const std::vector<std::string>& command, const KernelSource& kernel,
                    const Toolchain& toolchain, const std::filesystem::path& scratch,
                    const std::stop_token& stop, std::chrono::seconds timeout) {
  constexpr std::uintmax_t max_bytes = std::uintmax_t{64} << 20;
  const std::filesystem::path file = scratch / "output";
  std::vector<std::string> redirected{"/bin/sh", "-c", R"(out=$1; shift; exec "$@" >"$out" 2>&1)",
                                      "sh", file.string()};
  redirected.insert(redirected.end(), command.begin(), command.end());
  const CommandResult result =
      run_within(compiler_limits(kernel.device),
                 {.arguments = redirected,
                  .environment = compiler_environment(scratch),
                  .working_directory = scratch,
                  .sandbox = compiler_enclosure(kernel, toolchain, scratch, command.front())},
                 timeout, stop);
  if (result.timed_out) {
    throw UserError(command.front() + " ran longer than " + std::to_string(timeout.count()) +
                    " s; give it a smaller kernel");
  }
  if (!result.excess.empty()) throw UserError(command.front() + " " + result.excess);
  if (std::filesystem::file_size(file) > max_bytes) {
    throw UserError(command.front() + " wrote more than 64 MiB; give it a smaller kernel");
  }
  return {.exit_code = result.exit_code, .text = read_text(file).value_or("")};
}

}  // namespace robust_kbench
