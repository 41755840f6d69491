#include "command/command_program.hpp"

#include <cstdio>
#include <memory>

#include "command/completion_json.hpp"
#include "command/tell_error.hpp"
#include "command/versions.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "core/program.hpp"
#include "core/terminal.hpp"
#include "process/heap.hpp"
#include "torch_task/imported_tasks.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// Prints for `rkb completion` what may be typed.
int print_completion(const std::vector<CompletedCommand>& commands) {
  std::printf("%s\n", nlohmann::json(commands).dump().c_str());
  return ExitCode::pass;
}

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
  m_command_line
      .add_option("--color", m_color,
                  "Colours of verdicts; auto: on a terminal, unless NO_COLOR is set")
      .one_of({"auto", "always", "never"})
      .capture_default_str();
  m_command_line.add_flag("-q,--quiet", m_quiet, "Print results and errors, and no progress");
  // Tests of the documents parse their commands by it.
  m_command_line.add_flag("--parse-only", m_parse_only).group("");
  m_command_line.share_options();
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
  add("completion-words", "", [this](CommandLine& command) {
    command.hide();
    return [this] { return print_completion(completion()); };
  });
  if (const std::optional<int> exit_code = m_command_line.parse(argc, argv)) return *exit_code;
  set_color_use(parse_color_use(m_color));
  set_quiet(m_quiet);
  if (!m_manifest_path.empty()) name_manifest_in_commands(m_manifest_path);
  if (m_version) {
    m_selected = [this] {
      std::printf("%s", versions_text(program()).c_str());
      return ExitCode::pass;
    };
  }
  const auto tell = [&](int exit_code, const std::string& message) {
    tell_error("rkb", {exit_code, message}, wants_json(argc, argv));
  };
  if (!m_selected) {
    tell(ExitCode::usage, "a command is missing; `" + own_command() + " --help` lists them");
    return ExitCode::usage;
  }
  if (m_parse_only) return ExitCode::pass;
  return run_program(
      "rkb", [this] { return run_and_flush(m_selected); }, tell);
}

}  // namespace robust_kbench
