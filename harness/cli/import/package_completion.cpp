#include "cli/import/package_completion.hpp"

#include <chrono>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "process/command.hpp"

namespace robust_kbench {
namespace {

// It judges only what is quick, so it ends long before.
constexpr std::chrono::hours judgement_limit{24};
constexpr std::string_view name_of_program = "rkb: ";  // before its errors

}  // namespace

void have_package_completed(const std::filesystem::path& agent,
                            const std::filesystem::path& package,
                            const std::filesystem::path& scratch, const std::stop_token& stop) {
  const CommandResult result =
      run_command({agent, "complete-package", package, scratch}, judgement_limit, {}, stop);
  if (result.exit_code == ExitCode::pass) return;
  std::string end = result.output.substr(0, result.output.find_last_not_of('\n') + 1);
  if (result.exit_code != ExitCode::usage) {
    throw HarnessError("the package was not judged: " + end);
  }
  if (end.starts_with(name_of_program)) end.erase(0, name_of_program.size());
  throw UserError(end);
}

}  // namespace robust_kbench
