#include <cstdio>
#include <memory>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_json.hpp"
#include "agent/archive/archive_option.hpp"
#include "agent/archive/costs_text.hpp"
#include "archive/archive.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "runs/model_run.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

Action add_archive_costs_command(const Program& program, CommandLine& command) {
  struct Options {
    std::string directory, run, json;
  };
  const auto options = std::make_shared<Options>();
  add_common_option(command, "--archive", options->directory);
  command.add_option("RUN", options->run, "A run, as `rkb archive list` names it").required();
  add_common_option(command, "--json", options->json);
  return [program, options] {
    const OutputFile json(options->json);
    const std::filesystem::path directory = archive_directory(program, options->directory);
    const Archive archive(directory, Archive::Mode::read_only);
    (void)archive.run(options->run);  // throws where it is unknown
    const std::vector<CallRow> calls = calls_of(archive, options->run);
    const std::string text = costs_text(calls);
    std::printf("%s", text.empty() ? "no language model was asked\n" : text.c_str());
    write_archive_json(json, costs_json(calls));
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
