#include "cli/source_options.hpp"

#include "command/common_options.hpp"

namespace robust_kbench {

void add_source_options(CommandLine& command, SourceOptions& options) {
  // Each option takes one value, so that the name of a kernel may follow it.
  add_common_option(command, "--source", options.further_sources);
  add_common_option(command, "--headers", options.headers).capture_default_str();
  add_common_option(command, "--include", options.include_directories);
  add_common_option(command, "--define", options.definitions);
  add_common_option(command, "--option", options.options);
  add_common_option(command, "--library", options.libraries);
  add_common_option(command, "--entry", options.entry_point);
}

}  // namespace robust_kbench
