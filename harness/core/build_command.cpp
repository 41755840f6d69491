#include "core/build_command.hpp"

#include <fstream>
#include <string_view>

#include "core/own_command.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// The directory of the build as a word for a shell. Without a build it is a placeholder for a
// person to fill in.
std::string build_word(const fs::path& file) {
  const fs::path build = build_around(file);
  return build.empty() ? "BUILD_DIRECTORY" : path_word(build);
}

}  // namespace

fs::path build_around(const fs::path& file) {
  std::error_code none;
  for (fs::path directory = fs::absolute(file, none); directory.has_relative_path();
       directory = directory.parent_path()) {
    if (fs::is_regular_file(directory / "CMakeCache.txt", none)) return directory;
  }
  return {};
}

fs::path sources_of_build(const fs::path& build) {
  constexpr std::string_view entry = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  std::ifstream cache(build / "CMakeCache.txt");
  for (std::string line; std::getline(cache, line);) {
    if (line.starts_with(entry)) return line.substr(entry.size());
  }
  return {};
}

std::string build_command(const fs::path& file, const std::string& target) {
  return "cmake --build " + build_word(file) + " --target " + target;
}

std::string configure_command(const fs::path& file) {
  return "cmake " + build_word(file);
}

}  // namespace robust_kbench
