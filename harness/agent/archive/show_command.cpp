#include <cstdio>
#include <memory>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_option.hpp"
#include "agent/archive/proposal_text.hpp"
#include "agent/archive/run_text.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"

namespace robust_kbench {

Action add_archive_show_command(const Program& program, CommandLine& command) {
  struct Options {
    std::string directory, run;
    int id = 0;
  };
  const auto options = std::make_shared<Options>();
  add_common_option(command, "--archive", options->directory);
  command.add_option("RUN", options->run, "A run, as `rkb archive list` names it").required();
  command.add_option("ID", options->id, "One proposal of it; default: all in a table");
  return [program, options] {
    const Archive archive(archive_directory(program, options->directory), Archive::Mode::read_only);
    const std::string text = options->id == 0 ? run_text(archive, options->run)
                                              : proposal_text(archive, options->run, options->id);
    std::printf("%s", text.c_str());
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
