#include "command/command_program.hpp"

#include <cstdio>
#include <memory>

#include "command/versions.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "core/program.hpp"
#include "process/heap.hpp"
#include "torch_task/imported_tasks.hpp"

namespace robust_kbench {
namespace {

int run_and_flush(const Action& action) {
  keep_freed_memory();
  const int code = action();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw system_failure("stdout cannot be written");
  }
  return code;
}

}  // namespace

CommandProgram::CommandProgram(const std::vector<Task>& tasks)
    : m_registry(tasks),
      m_command_line("rkb",
                     "Tests kernels against float64 references and times them against torch, "
                     "trusting nothing that they say.") {
  m_command_line.add_option(
      "--manifest", m_manifest_path,
      "Manifest of a build; default: the one of the build that this program is in");
  m_command_line.add_flag("--version", m_version,
                          "Print the versions of rkb, torch, the compiler and CUDA, and end");
  m_registry.look_further(imported_tasks({}));
}

int CommandProgram::run(int argc, char** argv) {
  add("help", "Show the options of a command", [this](CommandLine& command) {
    const auto helped = std::make_shared<std::vector<std::string>>();
    command.add_option("COMMAND", *helped, "The command; default: rkb itself");
    return [this, helped] {
      std::printf("%s", m_command_line.help(*helped).c_str());
      return ExitCode::pass;
    };
  });
  if (const std::optional<int> exit_code = m_command_line.parse(argc, argv)) return *exit_code;
  if (!m_manifest_path.empty()) name_manifest_in_commands(m_manifest_path);
  if (m_version) {
    m_selected = [this] {
      std::printf("%s", versions_text(program()).c_str());
      return ExitCode::pass;
    };
  }
  if (!m_selected) {
    std::fprintf(stderr, "rkb: a command is missing; `%s --help` lists them\n",
                 own_command().c_str());
    return ExitCode::usage;
  }
  return run_program("rkb", [this] { return run_and_flush(m_selected); });
}

}  // namespace robust_kbench
