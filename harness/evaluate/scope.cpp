#include "evaluate/scope.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/probe_question.hpp"
#include "evaluate/probe_cases.hpp"
#include "evaluate/task_directory.hpp"
#include "tensor/spec_check.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

std::string needed(const std::vector<ConfigSet>& sets) {
  std::string text;
  for (const ConfigSet set : sets) {
    text += fmt::format("{0}{1}_init_configs, {1}_input_configs and {1}_shared_configs",
                        text.empty() ? "" : "; or ", to_string(set));
  }
  return text +
         " must each hold an object at least, {} where it has nothing to say; or ask for "
         "another set by --configs";
}

std::string unknown(const char* what, const std::string& name, const Task& task,
                    Direction direction) {
  return fmt::format("{} '{}' does not exist for {}; `rkb list --json` lists the cases", what, name,
                     Entry{task.name, direction}.name());
}

std::string source_of(const TaskDirectory& directory, Direction direction) {
  return directory.directory + "/config_" + std::string(to_string(direction)) + ".json";
}

std::vector<Config> configs_in(const Manifest& manifest, const Task& task, Direction direction,
                               ConfigSet usual, const Scope& scope) {
  std::vector<Config> configs =
      configs_of(manifest, task, direction, scope.sets.empty() ? std::vector{usual} : scope.sets);
  if (scope.only_config.empty()) return configs;
  std::erase_if(configs, [&](const Config& config) { return config.name != scope.only_config; });
  if (configs.empty()) throw UserError(unknown("config", scope.only_config, task, direction));
  return configs;
}

}  // namespace

ConfigSet usual_configs(Device device) {
  return device == Device::cuda ? ConfigSet::multi : ConfigSet::small;
}

ConfigSet usual_timed_configs(Device device) {
  return device == Device::cuda ? ConfigSet::single : ConfigSet::small;
}

std::vector<Config> any_configs_of(const Manifest& manifest, const Task& task, Direction direction,
                                   const std::vector<ConfigSet>& sets) {
  const TaskDirectory directory = directory_of(manifest, task);
  const nlohmann::json file = load_config_file(directory, direction);
  const std::string source = source_of(directory, direction);
  std::vector<Config> configs;
  for (const ConfigSet set : sets) {
    const std::vector<Config> expanded =
        expand_configs(file, source, set, task.defaults, contract(task, direction).ignored_keys);
    for (const Config& config : expanded) check_specs({task, direction, config.params}, source);
    configs.insert(configs.end(), expanded.begin(), expanded.end());
  }
  return configs;
}

std::vector<Config> configs_of(const Manifest& manifest, const Task& task, Direction direction,
                               const std::vector<ConfigSet>& sets) {
  std::vector<Config> configs = any_configs_of(manifest, task, direction, sets);
  // With nothing to test, the kernel would pass.
  if (configs.empty()) {
    throw UserError(source_of(directory_of(manifest, task), direction) +
                    " has none of the wanted configs: " + needed(sets));
  }
  return configs;
}

std::vector<Config> tested_configs(const Manifest& manifest, const Task& task, Direction direction,
                                   Device device, const Scope& scope) {
  return configs_in(manifest, task, direction, usual_configs(device), scope);
}

std::vector<Config> timed_configs(const Manifest& manifest, const Task& task, Direction direction,
                                  Device device, const Scope& scope) {
  return configs_in(manifest, task, direction, usual_timed_configs(device), scope);
}

std::vector<Case> cases_of(const std::vector<Config>& configs, int seeds) {
  std::vector<Case> cases;
  for (const Config& config : configs) {
    for (int seed = 1; seed <= seeds; ++seed) {
      cases.push_back({config, static_cast<std::uint64_t>(seed)});
    }
  }
  return cases;
}

std::vector<Case> tested_cases(const Manifest& manifest, const Task& task, Direction direction,
                               Device device, const Scope& scope) {
  std::vector<Case> cases =
      cases_of(tested_configs(manifest, task, direction, device, scope), scope.seeds);
  if (scope.only_config.empty()) {
    for (Case& probe : probe_cases(manifest, task, direction, device, scope.nonce).cases) {
      cases.push_back(std::move(probe));
    }
  }
  if (scope.only_case.empty() || scope.only_case == sequence_name) return cases;
  const std::optional<Probe> only_probe = probe_named(scope.only_case);
  std::erase_if(cases, [&](const Case& c) {
    return c.name() != scope.only_case && (!only_probe || c.probe != only_probe);
  });
  if (cases.empty()) throw UserError(unknown("case", scope.only_case, task, direction));
  return cases;
}

}  // namespace robust_kbench
