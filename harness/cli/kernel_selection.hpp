#pragma once

#include <string>
#include <vector>

#include "cli/source_options.hpp"
#include "command/command_line.hpp"
#include "evaluate/suite.hpp"

namespace robust_kbench {

// The kernels that a command is about. An empty field selects all.
struct KernelSelection {
  std::string task;
  std::string direction;  // of a source file: empty is forward
  std::string device;
  std::string kernel;    // a name, or the path of a source file
  SourceOptions source;  // how that file is compiled
};

// Declares --task, --direction, --device, --kernel and the options of source files. `selection`
// outlives the parsing.
void add_selection_options(CommandLine& command, KernelSelection& selection);

// Returns the kernels of the suite that match, in its order, or the one of the source file. Throws
// UserError that lists what exists where nothing matches.
std::vector<KernelSource> selected_kernels(const Suite& suite, const KernelSelection& selection);

}  // namespace robust_kbench
