#include "evaluate/source_options.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <ranges>
#include <string_view>

#include "core/error.hpp"
#include "core/path_words.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

void check_directories(const std::vector<std::string>& directories) {
  for (const std::string& directory : directories) {
    if (!fs::is_directory(directory)) {
      throw UserError("--include " + directory + " is no directory");
    }
  }
}

void check_libraries(const std::vector<std::string>& libraries) {
  for (const std::string& library : libraries) {
    if (!library.starts_with('-') && !fs::exists(library)) {
      throw UserError("--library " + library + " does not exist; give a file, or --library=-lNAME");
    }
  }
}

bool is_identifier(std::string_view word) {
  const auto is_allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) == 0 &&
         std::ranges::all_of(word, is_allowed);
}

// Accepts `name` or `space::name`.
void check_entry_point(const std::string& name) {
  const auto is_part = [](auto part) {
    return is_identifier(std::string_view(part.begin(), part.end()));
  };
  if (std::ranges::all_of(std::views::split(name, std::string_view("::")), is_part)) return;
  throw UserError("--entry '" + name + "' is no name of a function; give it as forward or " +
                  "space::forward");
}

std::vector<std::string> absolute(std::vector<std::string> paths) {
  for (std::string& path : paths) path = fs::absolute(path).string();
  return paths;
}

void check_ending(const std::string& source) {
  const fs::path extension = fs::path(source).extension();
  if (extension != ".cpp" && extension != ".cu") {
    throw UserError("kernel source " + source + " must end in .cpp (CPU) or .cu (CUDA)");
  }
}

}  // namespace

void check_source_file(const std::string& source) {
  if (fs::is_directory(source)) {
    throw UserError("kernel source " + source + " is a directory; give a source file");
  }
  if (!fs::is_regular_file(source)) throw UserError("kernel source " + source + " does not exist");
  check_ending(source);
}

void require_new_source(const std::string& file) {
  if (fs::exists(fs::symlink_status(file))) {
    throw UserError(file + " exists; give a file that does not, nothing is overwritten");
  }
  check_ending(file);
}

void SourceOptions::apply_to(KernelSource& kernel) const {
  for (const std::string& source : further_sources) check_source_file(source);
  check_directories(include_directories);
  check_libraries(libraries);
  check_entry_point(entry_point);
  const std::vector<std::string> further = absolute(further_sources);
  kernel.sources.insert(kernel.sources.end(), further.begin(), further.end());
  kernel.headers = parse_kernel_headers(headers);
  kernel.include_directories = absolute(include_directories);
  kernel.definitions = definitions;
  kernel.options = with_absolute_paths(options);
  kernel.libraries = with_absolute_paths(libraries);
  kernel.entry_point = entry_point;
  const auto is_relative = [](const std::string& path) { return fs::path(path).is_relative(); };
  if (std::ranges::any_of(further_sources, is_relative) ||
      std::ranges::any_of(include_directories, is_relative)) {
    kernel.named_in = fs::current_path().string();
  }
}

}  // namespace robust_kbench
