#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_option.hpp"
#include "archive/archive.hpp"
#include "archive/export_csv.hpp"
#include "archive/export_dataset.hpp"
#include "archive/export_generalisation.hpp"
#include "archive/export_jsonl.hpp"
#include "archive/export_t4.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/manifest.hpp"
#include "core/manifest_places.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> directories_of(const Program& program) {
  const fs::path file = manifest_file(program.manifest_path);
  return fs::exists(file) ? manifest_places(load_manifest(file)) : std::vector<std::string>();
}

}  // namespace

Action add_archive_export_command(const Program& program, CommandLine& command) {
  struct Options {
    std::string directory, run, out;
    std::string format = "jsonl";
  };
  const auto options = std::make_shared<Options>();
  add_common_option(command, "--archive", options->directory);
  command.add_option("RUN", options->run, "A run, as `rkb archive list` names it").required();
  command
      .add_option(
          "--format", options->format,
          "jsonl: everything as JSON lines; csv27: the columns of robust-kbench's published "
          "results; dataset: these as results.csv, with a folder for each proposal, in --out; t4: "
          "the autotuners' common format, of tuned proposals; generalisation: what `rkb archive "
          "generalise` has found of the winner, as CSV")
      .one_of({"jsonl", "csv27", "dataset", "t4", "generalisation"})
      .capture_default_str();
  add_common_option(command, "--out", options->out, "an empty or new directory, of a dataset");
  return [program, options] {
    const Archive archive(archive_directory(program, options->directory), Archive::Mode::read_only);
    const bool is_dataset = options->format == "dataset";
    if (is_dataset && options->out.empty()) {
      throw UserError("--format dataset writes a directory; name it by --out DIRECTORY");
    }
    if (!is_dataset && !options->out.empty()) {
      throw UserError("--out is for --format dataset; the others go to stdout");
    }
    if (is_dataset) {
      export_dataset(archive, options->run, options->out, directories_of(program));
    } else if (options->format == "csv27") {
      export_csv(archive, options->run, std::cout, directories_of(program));
    } else if (options->format == "generalisation") {
      export_generalisation(archive, {options->run}, std::cout);
    } else if (options->format == "t4") {
      std::cout << export_t4(archive, options->run).dump(1) << "\n";
    } else {
      export_jsonl(archive, options->run, std::cout);
    }
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
