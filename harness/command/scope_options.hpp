#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "core/case.hpp"
#include "evaluate/scope.hpp"

// Options that say on what kernels are tested and timed. The variables outlive the parsing.
namespace robust_kbench {

// Returns the number of --nonce. Throws UserError where it is no number above 0.
std::uint64_t parse_nonce(const std::string& text);

// Declares --configs. `usual` tells what empty stands for.
Option add_configs_option(CommandLine& command, std::string& configs, const std::string& usual);

// Declares --config, which may be given several times.
void add_own_configs_option(CommandLine& command, std::vector<std::string>& texts);

// Returns the configs of --config for a task's direction, or none where none is given. Throws
// UserError for what the task does not have, and for shapes that it cannot compute.
std::vector<Config> own_configs_of(const Task& task, Direction direction,
                                   const std::vector<std::string>& texts);

// Throws UserError where --config is given together with --configs, or for kernels of several
// entries, since its keys are one task's.
void check_own_configs(const std::vector<std::string>& texts, const std::string& configs,
                       const std::vector<KernelSource>& kernels);

// The options that choose cases beside the listed configs.
struct BeyondListedOptions {
  std::string scope = "full";
  bool require_shapes = false;

  void apply_to(Scope& scope) const;
};

// Declares --scope and --require-shapes.
void add_beyond_listed_options(CommandLine& command, BeyondListedOptions& options);

// The options that choose the cases of a kernel.
struct CaseOptions {
  std::string configs;
  std::vector<std::string> own_configs;
  std::string case_name;  // empty: all
  std::string nonce;      // empty: a secret one
  int seeds = default_seeds;
  bool all_cases = false;
  BeyondListedOptions beyond_listed;

  // Returns whether the options ask for a single case or probe.
  [[nodiscard]] bool one_case() const { return !case_name.empty() && case_name != sequence_name; }
  // Throws UserError for options that contradict each other.
  [[nodiscard]] Scope scope() const;
};

// Declares --configs, --config, --scope, --require-shapes, --case, --nonce, --seeds and
// --all-cases.
void add_case_options(CommandLine& command, CaseOptions& options);

}  // namespace robust_kbench
