#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// Throws UserError unless this is a source file of a kernel.
void check_source_file(const std::string& source);

// Throws UserError for an existing file, and for a name that ends in neither .cpp nor .cu.
void require_new_source(const std::string& file);

// How source files outside the build are compiled.
struct SourceOptions {
  std::vector<std::string> further_sources;  // of the same kernel
  std::string headers = "auto";
  std::vector<std::string> include_directories, definitions, options, libraries;
  std::string entry_point;  // empty: the direction's name

  bool operator==(const SourceOptions&) const = default;
  // Relative paths start at the working directory. Throws UserError for a missing file or
  // directory, and for an entry point that is no name of a function.
  void apply_to(KernelSource& kernel) const;
};

}  // namespace robust_kbench
