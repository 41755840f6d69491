#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// Throws UserError for what is no source file of a kernel.
void check_source_file(const std::string& source);

// Throws UserError for a file that is there already, and for one that ends in neither .cpp nor .cu.
void require_new_source(const std::string& file);

// How source files that are no kernels of the build are compiled.
struct SourceOptions {
  std::vector<std::string> further_sources;  // of the same kernel
  std::string headers = "auto";
  std::vector<std::string> include_directories, definitions, options, libraries;
  std::string entry_point;  // empty: as the direction

  bool operator==(const SourceOptions&) const = default;
  // Relative paths are those of the working directory. Throws UserError for a file or directory
  // that is not there, and for an entry point that no function can be called.
  void apply_to(KernelSource& kernel) const;
};

}  // namespace robust_kbench
