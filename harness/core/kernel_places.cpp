#include "core/kernel_places.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>

#include "core/path_words.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// Calls `take` with each absolute path of the words.
void each_path(const std::vector<std::string>& words,
               const std::function<void(PathWord::Kind kind, const fs::path& path)>& take) {
  for (const PathWord& found : path_words(words)) {
    const fs::path path = words[found.word].substr(found.offset);
    if (path.is_absolute()) take(found.kind, path);
  }
}

// Both paths must be normal and absolute.
bool is_same_or_above(const fs::path& outer, const fs::path& inner) {
  const std::string begin = outer.native() + (outer.native().ends_with('/') ? "" : "/");
  return (inner.native() + "/").starts_with(begin);
}

// $HOME may be a symbolic link, while the working directory that a shell reports may be its target.
// So both forms are compared.
bool is_above_home(const fs::path& directory) {
  std::error_code ignored;
  const fs::path outer = fs::absolute(directory, ignored).lexically_normal();
  const char* variable = std::getenv("HOME");
  const fs::path home = fs::path(variable == nullptr ? "/" : variable).lexically_normal();
  return is_same_or_above(outer, home) || is_same_or_above(fs::weakly_canonical(outer, ignored),
                                                           fs::weakly_canonical(home, ignored));
}

// Adds the directory. One above the home directory would expose all of it, so only its wanted files
// are added.
void add_directory(const fs::path& directory, bool (*is_wanted)(const fs::path& file),
                   std::vector<std::string>& places) {
  if (!is_above_home(directory)) {
    places.push_back(directory);
    return;
  }
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    if (is_wanted(entry.path())) places.push_back(entry.path());
  }
}

// "libone.so", "libone.so.1", "libone.a"
bool is_library(const fs::path& file) {
  const std::string name = file.filename();
  return name.ends_with(".a") || name.ends_with(".so") || name.find(".so.") != std::string::npos;
}

}  // namespace

bool is_header(const fs::path& file) {
  constexpr std::array<std::string_view, 8> suffixes{".h",   ".hh",  ".hpp", ".hxx",
                                                     ".cuh", ".inc", ".inl", ".ipp"};
  const std::string suffix = file.extension();
  return std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end();
}

std::vector<std::string> library_places(const KernelSource& kernel) {
  std::vector<std::string> places;
  for (const auto* words : {&kernel.libraries, &kernel.options}) {
    each_path(*words, [&](PathWord::Kind kind, const fs::path& path) {
      if (kind == PathWord::Kind::include) return;
      const bool is_file = kind == PathWord::Kind::file;
      add_directory(is_file ? path.parent_path() : path, is_library, places);
    });
  }
  return places;
}

std::string installation_place(const std::string& program) {
  const fs::path directory = fs::path(program).parent_path();
  return is_above_home(directory.parent_path()) ? directory : directory.parent_path();
}

std::vector<std::string> source_places(const KernelSource& kernel) {
  std::vector<std::string> places = library_places(kernel);
  for (const std::string& directory : kernel.include_directories) {
    add_directory(directory, is_header, places);
  }
  each_path(kernel.options, [&](PathWord::Kind kind, const fs::path& path) {
    if (kind == PathWord::Kind::include) add_directory(path, is_header, places);
  });
  for (const std::string& source : kernel.sources) {
    const fs::path directory = fs::absolute(source).parent_path();
    add_directory(directory, is_header, places);
    if (is_above_home(directory)) places.push_back(fs::absolute(source));
  }
  return places;
}

}  // namespace robust_kbench
