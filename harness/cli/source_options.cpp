#include "cli/source_options.hpp"

#include <filesystem>

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

void require_source_name(const std::string& file) {
  check_ending(file);
  const fs::path directory = fs::absolute(file).parent_path();
  if (!fs::is_directory(directory)) {
    throw UserError("the directory " + directory.string() + " of " + file +
                    " does not exist; make it, or name another");
  }
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
  const auto add = [&](const char* names, std::vector<std::string>& values, const char* text) {
    command.add_option(names, values, text);
  };
  add("--source", options.further_sources, "A further source file of the kernel");
  command
      .add_option("--headers", options.headers,
                  "shim: ours alone; torch: torch's own, which take a minute; auto: shim, and "
                  "torch's where the compiler misses something that torch has")
      .one_of({"auto", "shim", "torch", "slim"})
      .capture_default_str();
  add("-I,--include", options.include_directories, "A directory of headers");
  add("-D,--define", options.definitions, "A macro, as -D WIDTH=4");
  add("--option", options.options, "A compiler option, as --option=-funroll-loops");
  add("--library", options.libraries, "What to link: a path, or --library=-lNAME");
}

}  // namespace robust_kbench
