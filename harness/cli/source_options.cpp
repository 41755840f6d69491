#include "cli/source_options.hpp"

#include <filesystem>

#include "cli/common_options.hpp"
#include "core/error.hpp"

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
  kernel.sources.insert(kernel.sources.end(), further_sources.begin(), further_sources.end());
  kernel.headers = parse_kernel_headers(headers);
  kernel.include_directories = include_directories;
  kernel.definitions = definitions;
  kernel.options = options;
  kernel.libraries = libraries;
}

void add_source_options(CommandLine& command, SourceOptions& options) {
  // Each takes one value, so that the name of a kernel may follow it.
  add_common_option(command, "--source", options.further_sources);
  add_common_option(command, "--headers", options.headers).capture_default_str();
  add_common_option(command, "--include", options.include_directories);
  add_common_option(command, "--define", options.definitions);
  add_common_option(command, "--option", options.options);
  add_common_option(command, "--library", options.libraries);
}

}  // namespace robust_kbench
