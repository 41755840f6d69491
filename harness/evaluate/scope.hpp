#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/coverage.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The configs and cases that a kernel is tested and timed on.
struct Scope {
  // Empty: usual_configs() to test, usual_timed_configs() to time.
  std::vector<ConfigSet> sets = {};
  // Replaces the configs of the sets; empty: those of the sets.
  std::vector<Config> configs = {};
  int seeds = default_seeds;  // cases per config; 1 on CUDA's usual small configs
  // One case to test by name, probe_name() for all cases of a probe, or sequence_name; empty: all.
  std::string only_case = {};
  std::string only_config = {};  // one config of the sets by name; empty: all
  // Decides drawn configs, and keys the calls between those of a case. 0: a secret nonce is used.
  std::uint64_t nonce = 0;
  bool sequence = true;    // all cases once more in one process, after each ran alone
  bool all_cases = false;  // go on after the third failure
  Coverage coverage = Coverage::full;
  bool require_shapes = false;  // counts a refusal (check/examiner.hpp) as an exception
};

// The sets of configs that tests cover by default: small on the CPU, small and multi on CUDA. Drawn
// configs are derived from them.
std::vector<ConfigSet> usual_configs(Device device);
// The configs that are timed by default: small on the CPU, single on CUDA.
ConfigSet usual_timed_configs(Device device);

// Every config of the sets, or empty.
std::vector<Config> any_configs_of(const Manifest& manifest, const Task& task, Direction direction,
                                   const std::vector<ConfigSet>& sets);
// Every config of the sets. Throws UserError where they hold none.
std::vector<Config> configs_of(const Manifest& manifest, const Task& task, Direction direction,
                               const std::vector<ConfigSet>& sets);
// The configs of a scope. Throws UserError where it names a config that does not exist.
std::vector<Config> tested_configs(const Manifest& manifest, const Task& task, Direction direction,
                                   Device device, const Scope& scope);
std::vector<Config> timed_configs(const Manifest& manifest, const Task& task, Direction direction,
                                  Device device, const Scope& scope);

// All pairs of a config and a seed from 1 to `seeds`.
std::vector<Case> cases_of(const std::vector<Config>& configs, int seeds);
// The cases of a scope, listed ones first and probes last. If the scope asks for the sequence,
// these are all cases. Throws UserError where it names a case that does not exist.
std::vector<Case> tested_cases(const Manifest& manifest, const Task& task, Direction direction,
                               Device device, const Scope& scope);
// The number of cases in every message and count: those of a scope, and the sequence as the last.
std::size_t number_of_cases(const std::vector<Case>& cases, const Scope& scope);

}  // namespace robust_kbench
