#include "core/find_program.hpp"

#include <cstdlib>
#include <sstream>
#include <unistd.h>

namespace robust_kbench {
namespace fs = std::filesystem;

std::vector<fs::path> search_path() {
  std::vector<fs::path> directories;
  const char* path = std::getenv("PATH");
  std::stringstream entries(path == nullptr ? "" : path);
  for (std::string entry; std::getline(entries, entry, ':');) {
    if (!entry.empty()) directories.emplace_back(entry);
  }
  return directories;
}

fs::path find_program(const std::string& name, const std::vector<fs::path>& directories) {
  for (const fs::path& directory : directories) {
    fs::path program = directory / name;
    std::error_code ignored;
    if (fs::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

}  // namespace robust_kbench
