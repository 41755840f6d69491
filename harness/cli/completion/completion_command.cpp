#include "cli/completion/completion_command.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "cli/agent_path.hpp"
#include "cli/completion/completion_script.hpp"
#include "command/agent_commands.hpp"
#include "command/completion_json.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "process/command.hpp"
#include "tensor/task_registry.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::chrono::minutes agent_limit{1};

bool is_of_agent(const CompletedCommand& command) {
  return std::ranges::any_of(agent_commands, [&](const AgentCommand& known) {
    const std::string path = std::string("rkb ") + known.name;
    return command.path == path || command.path.starts_with(path + " ");
  });
}

std::vector<CompletedCommand> commands_of_agent() {
  require_agent(agent_path(), "`rkb completion`");
  const CommandResult result = run_command({agent_path(), "completion-words"}, agent_limit);
  if (result.exit_code != 0) {
    throw HarnessError(agent_path().string() + " does not tell its commands: " + result.output);
  }
  return parse_json(result.output).get<std::vector<CompletedCommand>>();
}

// Fills in what no parser knows: the tasks, and the commands that `rkb help` is asked about.
void add_known_words(std::vector<CompletedCommand>& commands, const TaskRegistry& registry) {
  std::vector<std::string> tasks;
  for (const Task* task : registry.tasks()) tasks.push_back(task->name);
  std::vector<std::string> words;
  for (const CompletedCommand& command : commands) {
    const std::string word = command.path.substr(command.path.find(' ') + 1);
    if (command.path != "rkb" && word.find(' ') == std::string::npos) words.push_back(word);
  }
  for (CompletedCommand& command : commands) {
    if (command.path == "rkb help") command.arguments = words;
    for (CompletedOption& option : command.options) {
      if (std::ranges::find(option.names, "--task") != option.names.end()) option.choices = tasks;
    }
  }
}

int print_script(const std::string& shell, const CommandProgram& rkb, const TaskRegistry& tasks) {
  std::vector<CompletedCommand> commands = rkb.completion();
  std::erase_if(commands, is_of_agent);
  std::ranges::copy_if(commands_of_agent(), std::back_inserter(commands), is_of_agent);
  add_known_words(commands, tasks);
  std::printf("%s", completion_script(shell, commands).c_str());
  return ExitCode::pass;
}

}  // namespace

void add_completion_command(CommandProgram& rkb) {
  rkb.add("completion", "Print a script by which a shell completes commands and options",
          [&rkb](CommandLine& command) {
            const auto shell = std::make_shared<std::string>();
            command.add_option("SHELL", *shell, "The shell, which sources what is printed")
                .one_of({"bash", "zsh", "fish"})
                .required();
            return [&rkb, shell] { return print_script(*shell, rkb, rkb.program().tasks); };
          });
}

}  // namespace robust_kbench
