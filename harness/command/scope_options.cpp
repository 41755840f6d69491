#include "command/scope_options.hpp"

#include "command/common_options.hpp"
#include "core/coverage.hpp"
#include "core/error.hpp"
#include "core/own_config.hpp"
#include "tensor/spec_check.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {
std::uint64_t parse_nonce(const std::string& text) {
  try {
    std::size_t end = 0;
    const std::uint64_t nonce = std::stoull(text, &end, 0);
    if (end == text.size() && nonce != 0 && !text.starts_with('-')) return nonce;
  } catch (const std::exception&) {
  }
  throw UserError("--nonce '" + text +
                  "' is no number above 0; give the one that the failure printed");
}

Option add_configs_option(CommandLine& command, std::string& configs, const std::string& usual) {
  return add_common_option(command, "--configs", configs, "default: " + usual);
}

void add_own_configs_option(CommandLine& command, std::vector<std::string>& texts) {
  add_common_option(command, "--config", texts, "they take the place of the listed configs");
}

std::vector<Config> own_configs_of(const Task& task, Direction direction,
                                   const std::vector<std::string>& texts) {
  std::vector<Config> configs =
      own_configs(texts, task.defaults, contract(task, direction).ignored_keys);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    check_specs({task, direction, configs[i].params}, "--config " + texts[i]);
  }
  return configs;
}

void check_own_configs(const std::vector<std::string>& texts, const std::string& configs,
                       const std::vector<KernelSource>& kernels) {
  if (texts.empty()) return;
  if (!configs.empty()) {
    throw UserError("--config takes the place of the listed configs, which --configs " + configs +
                    " asks for; leave one of the two out");
  }
  for (const KernelSource& kernel : kernels) {
    if (kernel.entry.name() == kernels.front().entry.name()) continue;
    throw UserError("--config " + texts.front() +
                    " is of one task and direction; give --task and --direction");
  }
}

void BeyondListedOptions::apply_to(Scope& of) const {
  of.coverage = parse_coverage(scope);
  of.require_shapes = require_shapes;
}

void add_beyond_listed_options(CommandLine& command, BeyondListedOptions& options) {
  add_common_option(command, "--scope", options.scope).capture_default_str();
  add_common_option(command, "--require-shapes", options.require_shapes);
}

Scope CaseOptions::scope() const {
  Scope scope{.seeds = seeds,
              .only_case = case_name,
              .nonce = nonce.empty() ? 0 : parse_nonce(nonce),
              .all_cases = all_cases};
  beyond_listed.apply_to(scope);
  if (one_case()) {
    if (!configs.empty()) {
      throw UserError("--case " + case_name + " names its configs; leave --configs out");
    }
    scope.sets = {ConfigSet::single, ConfigSet::multi, ConfigSet::small};
  } else if (!configs.empty()) {
    scope.sets = {parse_config_set(configs)};
  }
  return scope;
}

void add_case_options(CommandLine& command, CaseOptions& options) {
  const Option one =
      add_common_option(command, "--case", options.case_name,
                        "or all of a probe as probe.<name>, or 'sequence'; default: all");
  add_configs_option(command, options.configs,
                     "small on the CPU; small on one seed, and multi, on CUDA");
  add_own_configs_option(command, options.own_configs);
  add_beyond_listed_options(command, options.beyond_listed);
  add_common_option(command, "--seeds", options.seeds).capture_default_str();
  add_common_option(command, "--all-cases", options.all_cases);
  add_common_option(command, "--nonce", options.nonce).needs(one);
}

}  // namespace robust_kbench
