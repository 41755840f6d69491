#include <iostream>
#include <memory>

#include "archive/archive.hpp"
#include "archive/export_csv.hpp"
#include "archive/export_jsonl.hpp"
#include "archive/export_t4.hpp"
#include "cli/archive/archive_commands.hpp"
#include "cli/archive/archive_option.hpp"
#include "core/error.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

Run add_archive_export_command(const Program& program, CommandLine& command) {
  struct Options {
    std::string directory, run;
    std::string format = "jsonl";
  };
  const auto options = std::make_shared<Options>();
  add_archive_option(command, options->directory);
  command.add_option("RUN", options->run, "A run, as `rkb archive list` names it").required();
  command
      .add_option(
          "--format", options->format,
          "jsonl: everything as JSON lines; csv27: the columns of robust-kbench's published "
          "results; t4: the autotuners' common format, of tuned proposals")
      .one_of({"jsonl", "csv27", "t4"})
      .capture_default_str();
  return [program, options] {
    const Archive archive(archive_directory(program, options->directory), Archive::Mode::read_only);
    if (options->format == "csv27") {
      export_csv(archive, options->run, std::cout);
    } else if (options->format == "t4") {
      std::cout << export_t4(archive, options->run).dump(1) << "\n";
    } else {
      export_jsonl(archive, options->run, std::cout);
    }
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
