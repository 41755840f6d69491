#include <cstdio>
#include <memory>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_json.hpp"
#include "agent/archive/archive_option.hpp"
#include "agent/archive/pilots_text.hpp"
#include "agent/archive/proposal_text.hpp"
#include "agent/archive/run_text.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

Action add_archive_show_command(const Program& program, CommandLine& command) {
  struct Options {
    std::string directory, run, json;
    int id = 0;
    bool pilots = false;
  };
  const auto options = std::make_shared<Options>();
  add_common_option(command, "--archive", options->directory);
  command.add_option("RUN", options->run, "A run, as `rkb archive list` names it").required();
  command.add_option("ID", options->id, "One proposal of it; default: all in a table");
  command.add_flag("--pilots", options->pilots,
                   "In place of proposals: what each pilot on other machines did, and how idle it "
                   "was");
  add_common_option(command, "--json", options->json);
  return [program, options] {
    const OutputFile json(options->json);
    const Archive archive(archive_directory(program, options->directory), Archive::Mode::read_only);
    if (options->pilots) {
      std::printf("%s", pilots_text(archive, options->run).c_str());
      write_archive_json(json, pilots_json(pilot_rows(archive.events(options->run))));
      return ExitCode::pass;
    }
    const std::string text = options->id == 0 ? run_text(archive, options->run)
                                              : proposal_text(archive, options->run, options->id);
    std::printf("%s", text.c_str());
    write_archive_json(json, options->id == 0 ? run_json(archive, options->run)
                                              : proposal_json(archive, options->run, options->id));
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
