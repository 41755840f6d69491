#include "cli/ask_agent.hpp"

#include <chrono>
#include <string_view>

#include "core/error.hpp"
#include "process/command.hpp"

namespace robust_kbench {
namespace {

// It does only what is quick, so it ends long before.
constexpr std::chrono::hours longest_answer{24};
constexpr std::string_view name_of_program = "rkb: ";  // before its errors

}  // namespace

void ask_agent(const std::filesystem::path& agent, std::vector<std::string> words,
               const std::string& failed, const std::stop_token& stop) {
  words.insert(words.begin(), agent);
  const CommandResult result = run_command(words, longest_answer, {}, stop);
  if (result.exit_code == ExitCode::pass) return;
  std::string end = result.output.substr(0, result.output.find_last_not_of('\n') + 1);
  if (result.exit_code != ExitCode::usage) throw HarnessError(failed + ": " + end);
  if (end.starts_with(name_of_program)) end.erase(0, name_of_program.size());
  throw UserError(end);
}

}  // namespace robust_kbench
