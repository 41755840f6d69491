#pragma once

#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "command/program.hpp"
#include "tensor/task_registry.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Parses the words of `rkb` and `rkb_agent`, and carries out the command that they name. Both have
// `help`, and the options that all commands share.
class CommandProgram {
 public:
  explicit CommandProgram(const std::vector<Task>& tasks);
  CommandProgram(const CommandProgram&) = delete;
  CommandProgram& operator=(const CommandProgram&) = delete;

  // Commands may use it as long as this object lives.
  Program program() { return {m_registry, m_manifest_path}; }

  // Returns what may be typed at each place of a line, of all commands that were added.
  [[nodiscard]] std::vector<CompletedCommand> completion() const {
    return m_command_line.completion();
  }

  // Adds a command. `add_command` declares its options, and returns what it does.
  template <typename AddCommand>
  CommandLine add(const char* name, const char* what, const AddCommand& add_command) {
    CommandLine command = m_command_line.add_command(name, what);
    command.when_given([this, action = Action(add_command(command))] { m_selected = action; });
    return command;
  }

  // Carries out the command that the words name. Returns the program's exit code.
  int run(int argc, char** argv);

 private:
  TaskRegistry m_registry;
  CommandLine m_command_line;
  std::string m_manifest_path;
  bool m_version = false;
  bool m_quiet = false;
  bool m_parse_only = false;
  std::string m_color = "auto";
  Action m_selected;
};

}  // namespace robust_kbench
