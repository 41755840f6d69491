#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"

#include <CLI/CLI.hpp>

namespace robust_kbench {

// How source files that are no kernels of the build are compiled.
struct SourceOptions {
  std::string headers = "auto";
  std::vector<std::string> include_directories, definitions;

  void apply_to(KernelSource& kernel) const;
};

// --headers, --include and --define. The options outlive the parsing.
void add_source_options(CLI::App& command, SourceOptions& options);

}  // namespace robust_kbench
