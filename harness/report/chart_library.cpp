#include "report/chart_library.hpp"

#include <chrono>
#include <cstdio>
#include <optional>

#include "core/find_program.hpp"
#include "core/shell_word.hpp"
#include "core/text_file.hpp"
#include "process/command.hpp"
#include "process/escape.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// Long enough for 30 MB over a slow network.
constexpr std::chrono::minutes install_limit{3};
constexpr const char* file_name = "echarts-6.0.0.min.js";

// Returns why the library cannot be fetched, or nothing once it is there.
std::string fetch(const PagePaths& paths) {
  const fs::path python = find_program("python3", search_path());
  if (python.empty()) return "no python3 is in PATH";
  std::fprintf(stderr, "fetching the library of charts into %s\n", paths.library.c_str());
  const CommandResult result =
      run_command({python, paths.sources / "install.py", paths.library}, install_limit);
  if (result.timed_out) return "fetching it took more than 3 minutes";
  if (result.exit_code == 0) return "";
  const std::string& output = result.output;
  const std::size_t end = output.find_last_not_of('\n') + 1;
  const std::size_t line = output.rfind('\n', end == 0 ? 0 : end - 1);
  return escaped(output.substr(line == std::string::npos ? 0 : line + 1, end - line - 1));
}

}  // namespace

ChartLibrary chart_library(const PagePaths& paths) {
  const fs::path file = paths.library / file_name;
  std::optional<std::string> script = read_text(file);
  std::string failure;
  if (!script) {
    failure = fetch(paths);
    script = read_text(file);
  }
  if (script && !script->empty()) return {.script = *script, .missing = {}};
  return {
      .script = {},
      .missing = "This page has tables and no charts, since the library of charts is missing: " +
                 failure + ". With a network, run: python3 " +
                 shell_word(paths.sources / "install.py") + " " + shell_word(paths.library)};
}

}  // namespace robust_kbench
