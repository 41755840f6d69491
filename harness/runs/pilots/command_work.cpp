#include "runs/pilots/command_work.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/own_command.hpp"
#include "core/parse_json.hpp"
#include "core/shell_word.hpp"
#include "core/text_file.hpp"
#include "process/command.hpp"
#include "process/escape.hpp"
#include "process/temporary_directory.hpp"
#include "runs/pilots/source_tree.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// It has limits of its own for each step. This one ends what hangs all the same.
constexpr std::chrono::hours longest_evaluation_of_file{6};

}  // namespace

nlohmann::json evaluate_file(const nlohmann::json& command, const std::stop_token& stop) {
  const TemporaryDirectory work("pilot_file");
  const std::string given = command.at("path");
  const std::string file = work.path() / fs::path(given).filename();
  const std::string answer = work.path() / "records.json";
  OutputFile(file).write(command.at("text").get<std::string>());
  std::string line = "exec " + own_command() + " evaluate";
  for (const std::string& word : command.at("arguments").get<std::vector<std::string>>()) {
    line += " " + shell_word(word);
  }
  // Headers may lie beside the file, where this machine sees them.
  line += fmt::format(" --include {} --json {} {}", path_word(fs::path(given).parent_path()),
                      path_word(answer), path_word(file));
  std::error_code missing;
  const std::string directory = command.at("directory");
  const bool is_here = fs::is_directory(directory, missing);
  const CommandResult done = run_command({"/bin/sh", "-c", line}, longest_evaluation_of_file,
                                         is_here ? directory : work.path().string(), stop);
  std::string text = read_text(answer).value_or("");
  replace_all(text, file, given);
  const nlohmann::json records = parse_json_if_any(text);
  if (records.is_object() && !records.value("kernels", nlohmann::json()).empty()) {
    return records["kernels"].front();
  }
  throw HarnessError(fmt::format("there is no record of {}; rkb ended with {}: {}", given,
                                 done.exit_code, escaped(done.output)));
}

}  // namespace robust_kbench
