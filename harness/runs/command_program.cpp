#include "runs/command_program.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include "core/error.hpp"
#include "core/find_program.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// A program that gets no PATH is looked for here, as by shells.
const std::vector<fs::path> usual_places{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                         "/usr/bin",        "/sbin",          "/bin"};

}  // namespace

void require_command_program(const EvolutionSettings& settings) {
  if (settings.command.empty()) {
    throw UserError("the proposer 'command' has no program; give --set 'command=[\"PROGRAM\"]'");
  }
  const fs::path program = settings.command.front();
  if (program.is_relative() && program.has_parent_path()) {
    throw UserError("the program '" + program.string() +
                    "' of the setting 'command' runs in another directory; give its absolute path");
  }
  const auto& variables = settings.command_environment;
  const bool gets_path = std::ranges::find(variables, "PATH") != variables.end();
  const bool is_there =
      program.is_absolute()
          ? access(program.c_str(), X_OK) == 0
          : !find_program(program, gets_path ? search_path() : usual_places).empty();
  if (is_there) return;
  throw UserError("the program '" + program.string() +
                  "' of the setting 'command' cannot be run; give the absolute path of a program");
}

}  // namespace robust_kbench
