#include <memory>

#include "agent/agent_program.hpp"
#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_option.hpp"
#include "agent/archive/page_of_run.hpp"
#include "archive/archive.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"

namespace robust_kbench {

Action add_archive_report_command(const AgentProgram& program, CommandLine& command) {
  struct Options {
    std::string directory, run, html;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("RUN", options->run, "A run, as `rkb archive list` names it").required();
  add_common_option(command, "--html", options->html).required();
  add_common_option(command, "--archive", options->directory);
  return [program, options] {
    const Archive archive(archive_directory(program, options->directory), Archive::Mode::read_only);
    (void)archive.run(options->run);  // throws where it is unknown, before the file is made
    PageOfRun(archive, options->html, program).write(options->run);
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
