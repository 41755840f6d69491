#include "cli/source_options.hpp"

namespace robust_kbench {

void SourceOptions::apply_to(KernelSource& kernel) const {
  kernel.headers = headers;
  kernel.include_directories = include_directories;
  kernel.definitions = definitions;
}

void add_source_options(CLI::App& command, SourceOptions& options) {
  command
      .add_option("--headers", options.headers,
                  "slim: ours alone; torch: torch's own, which take a minute; auto: slim, and "
                  "torch's where the compiler misses something that torch has")
      ->check(CLI::IsMember({"auto", "slim", "torch"}))
      ->capture_default_str();
  command.add_option("-I,--include", options.include_directories);
  command.add_option("-D,--define", options.definitions);
}

}  // namespace robust_kbench
