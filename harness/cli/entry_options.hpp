#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "evaluate/scope.hpp"

// Options that several commands have. The variables must outlive the parsing.
namespace robust_kbench {

// --task and --direction, which select kernels of the build. An empty one selects all.
void add_entry_options(CommandLine& command, std::string& task, std::string& direction);

// What is tested by default.
inline constexpr const char* usual_configs_text =
    "Default: small on the CPU; small on one seed, and multi, on CUDA";

// --configs; `usual` tells what empty stands for.
Option add_configs_option(CommandLine& command, std::string& configs, const std::string& usual);

// --against, of names separated by commas.
void add_against_option(CommandLine& command, std::vector<std::string>& against);

// What is tested beside the listed configs.
struct BeyondListedOptions {
  std::string scope = "full";
  bool require_shapes = false;

  void apply_to(Scope& scope) const;
};

// --scope and --require-shapes.
void add_beyond_listed_options(CommandLine& command, BeyondListedOptions& options);

// --all-cases, without which a kernel's third failure is its last case.
void add_all_cases_option(CommandLine& command, bool& all_cases);

}  // namespace robust_kbench
