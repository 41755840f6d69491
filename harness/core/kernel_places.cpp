#include "core/kernel_places.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// The absolute path that follows one of the options in `word`, or empty.
std::string path_after(std::string_view word, const std::vector<std::string_view>& options) {
  for (const std::string_view option : options) {
    if (word.starts_with(option) && word.substr(option.size()).starts_with("/")) {
      return std::string(word.substr(option.size()));
    }
  }
  return {};
}

bool is_above_home(const fs::path& directory) {
  const char* home = std::getenv("HOME");
  if (home == nullptr) return directory == "/";
  const std::string inner = fs::path(home).lexically_normal().native() + "/";
  const std::string outer = directory.lexically_normal().native();
  return outer == "/" || inner.starts_with(outer.ends_with('/') ? outer : outer + "/");
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
  std::vector<std::string> words = kernel.libraries;
  words.insert(words.end(), kernel.options.begin(), kernel.options.end());
  for (const std::string& word : words) {
    if (word.starts_with("/")) places.push_back(fs::path(word).parent_path());
    std::string place = path_after(word, {"-L", "-Wl,-rpath,", "-Wl,-rpath=", "-Xlinker=-rpath,"});
    if (!place.empty()) places.push_back(std::move(place));
  }
  return places;
}

std::string installation_place(const std::string& program) {
  const fs::path directory = fs::path(program).parent_path();
  return is_above_home(directory.parent_path()) ? directory : directory.parent_path();
}

std::vector<std::string> source_places(const KernelSource& kernel) {
  std::vector<std::string> places = library_places(kernel);
  places.insert(places.end(), kernel.include_directories.begin(), kernel.include_directories.end());
  for (const std::string& option : kernel.options) {
    std::string place = path_after(option, {"-I", "-isystem", "-include", "-iquote"});
    if (!place.empty()) places.push_back(std::move(place));
  }
  for (const std::string& source : kernel.sources) {
    const fs::path directory = fs::absolute(source).parent_path();
    if (!is_above_home(directory)) {
      places.push_back(directory);
      continue;
    }
    places.push_back(fs::absolute(source));
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(directory, ignored)) {
      if (is_header(entry.path())) places.push_back(entry.path());
    }
  }
  return places;
}

}  // namespace robust_kbench
