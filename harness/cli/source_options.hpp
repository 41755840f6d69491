#pragma once

#include "command/command_line.hpp"
#include "evaluate/source_options.hpp"

namespace robust_kbench {

// Declares --source, --headers, --include, --define, --option, --library and --entry. `options`
// outlives the parsing.
void add_source_options(CommandLine& command, SourceOptions& options);

}  // namespace robust_kbench
