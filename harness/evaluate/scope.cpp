#include "evaluate/scope.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "core/error.hpp"
#include "core/own_command.hpp"
#include "core/seed.hpp"
#include "evaluate/drawn_configs.hpp"
#include "evaluate/large_config.hpp"
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
  return fmt::format("{} '{}' does not exist for {}; `{} list {}` lists the cases", what, name,
                     Entry{task.name, direction}.name(), own_command(), task.name);
}

std::string config_file(const TaskDirectory& directory, Direction direction) {
  return directory.directory + "/config_" + std::string(to_string(direction)) + ".json";
}

std::vector<Config> configs_in(const Manifest& manifest, const Task& task, Direction direction,
                               const std::vector<ConfigSet>& usual, const Scope& scope) {
  std::vector<Config> configs = scope.configs;
  if (configs.empty()) {
    configs = configs_of(manifest, task, direction, scope.sets.empty() ? usual : scope.sets);
  }
  if (scope.only_config.empty()) return configs;
  std::erase_if(configs, [&](const Config& config) { return config.name != scope.only_config; });
  if (configs.empty()) throw UserError(unknown("config", scope.only_config, task, direction));
  return configs;
}

// Drawn configs of one nonce are the same for all sets of a scope, so that a replay finds them.
std::vector<Case> drawn_cases(const Manifest& manifest, const Task& task, Direction direction,
                              Device device, std::uint64_t nonce) {
  if (!task.shapes) return {};
  std::vector<Config> listed = any_configs_of(manifest, task, direction, usual_configs(device));
  // A file may lack the usual configs.
  if (listed.empty()) {
    listed = any_configs_of(manifest, task, direction,
                            {ConfigSet::single, ConfigSet::multi, ConfigSet::small});
  }
  std::vector<Case> cases;
  for (Config& config : drawn_configs(task, direction, listed, nonce)) {
    const std::uint64_t seed = derived_key(nonce, "drawn config", cases.size());
    cases.push_back({.config = std::move(config), .seed = seed});
  }
  const std::vector<Config> all = any_configs_of(
      manifest, task, direction, {ConfigSet::single, ConfigSet::multi, ConfigSet::small});
  if (std::optional<Config> large = large_config(task, direction, device, all, nonce)) {
    const std::uint64_t seed = derived_key(nonce, "drawn config", cases.size());
    cases.push_back({.config = *std::move(large), .seed = seed});
  }
  return cases;
}

// Whether `wanted`, the name of a case or of a probe, asks for the case.
bool is_wanted(const Case& c, const std::string& wanted) {
  return c.name() == wanted || (c.probe && probe_name(*c.probe) == wanted);
}

// Listed cases are of one kind, drawn ones of another, and each probe's of one more.
std::string kind_of(const Case& c) {
  if (c.probe) return probe_name(*c.probe);
  return c.is_listed() ? "listed" : "drawn";
}

void keep_one_of_each_kind(std::vector<Case>& cases) {
  std::set<std::string> known;
  std::erase_if(cases, [&](const Case& c) { return !known.insert(kind_of(c)).second; });
}

}  // namespace

std::vector<ConfigSet> usual_configs(Device device) {
  if (device == Device::cuda) return {ConfigSet::small, ConfigSet::multi};
  return {ConfigSet::small};
}

ConfigSet usual_timed_configs(Device device) {
  return device == Device::cuda ? ConfigSet::single : ConfigSet::small;
}

std::vector<Config> any_configs_of(const Manifest& manifest, const Task& task, Direction direction,
                                   const std::vector<ConfigSet>& sets) {
  const TaskDirectory directory = directory_of(manifest, task);
  const nlohmann::json file = load_config_file(directory, direction);
  const std::string source = config_file(directory, direction);
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
    throw UserError(config_file(directory_of(manifest, task), direction) +
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
  return configs_in(manifest, task, direction, {usual_timed_configs(device)}, scope);
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
  if (scope.sets.empty() && device == Device::cuda) {
    std::erase_if(cases,
                  [](const Case& c) { return c.config.set == ConfigSet::small && c.seed > 1; });
  }
  if (scope.coverage != Coverage::listed && scope.only_config.empty()) {
    std::ranges::move(drawn_cases(manifest, task, direction, device, scope.nonce),
                      std::back_inserter(cases));
    std::ranges::move(probe_cases(manifest, task, direction, device, scope.nonce).cases,
                      std::back_inserter(cases));
  }
  if (scope.coverage == Coverage::quick) keep_one_of_each_kind(cases);
  if (scope.only_case.empty() || scope.only_case == sequence_name) return cases;
  std::erase_if(cases, [&](const Case& c) { return !is_wanted(c, scope.only_case); });
  if (cases.empty()) throw UserError(unknown("case", scope.only_case, task, direction));
  return cases;
}

std::size_t number_of_cases(const std::vector<Case>& cases, const Scope& scope) {
  if (scope.only_case == sequence_name) return 1;
  return cases.size() + (scope.only_case.empty() && scope.sequence ? 1 : 0);
}

}  // namespace robust_kbench
