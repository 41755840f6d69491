#include "evaluate/probe_cases.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/seed.hpp"
#include "evaluate/reference_seconds.hpp"
#include "evaluate/repeated_rows.hpp"
#include "evaluate/scope.hpp"
#include "tensor/probe.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// The configs with the greatest key.
template <typename Key>
std::vector<Config> greatest(std::vector<Config> configs, const Key& key) {
  if (configs.empty()) return configs;
  const auto most =
      std::max_element(configs.begin(), configs.end(),
                       [&](const Config& a, const Config& b) { return key(a) < key(b); });
  const auto wanted = key(*most);
  std::erase_if(configs, [&](const Config& config) { return key(config) < wanted; });
  return configs;
}

// Removes the half that does less work.
std::vector<Config> larger_half(const Task& task, Direction direction,
                                std::vector<Config> configs) {
  const auto work = [&](const Config& config) {
    return cost_of({task, direction, config.params}).flops;
  };
  std::stable_sort(configs.begin(), configs.end(),
                   [&](const Config& a, const Config& b) { return work(a) < work(b); });
  configs.erase(configs.begin(), configs.begin() + static_cast<std::ptrdiff_t>(configs.size() / 2));
  return configs;
}

// The configs of a set on which a probe shows most.
std::vector<Config> suitable(const Task& task, Direction direction, Probe probe,
                             const std::vector<Config>& configs) {
  if (probe == Probe::repeated_row) {
    return greatest(configs, [&](const Config& config) {
      return Workload{task, direction, config.params}.rows();
    });
  }
  if (probe == Probe::general_weights) {
    const std::vector<Config> constant = greatest(configs, [&](const Config& config) {
      return has_constant_weights({task, direction, config.params});
    });
    if (constant.size() < configs.size()) return constant;
  }
  return larger_half(task, direction, configs);
}

std::string too_slow(const Task& task, Direction direction, Device device, ConfigSet set,
                     const std::vector<Config>& configs) {
  double least = reference_seconds({task, direction, configs.front().params}, device);
  for (const Config& config : configs) {
    least = std::min(least, reference_seconds({task, direction, config.params}, device));
  }
  return fmt::format(
      "probes leave out {} configs, since a float64 reference would take {:.1f} s at least; the "
      "limit is {} s",
      to_string(set), least, max_reference_seconds);
}

}  // namespace

ProbeCases probe_cases(const Manifest& manifest, const Task& task, Direction direction,
                       Device device, std::uint64_t nonce) {
  ProbeCases probes;
  const std::vector<Probe> applicable = applicable_probes(task, direction);
  if (applicable.empty()) return probes;
  const auto is_fast = [&](const Params& params) {
    return reference_seconds({task, direction, params}, device) <= max_reference_seconds;
  };
  double listed_bytes = 0;
  for (const Config& config : any_configs_of(
           manifest, task, direction, {ConfigSet::small, ConfigSet::single, ConfigSet::multi})) {
    listed_bytes = std::max(listed_bytes, cost_of({task, direction, config.params}).bytes);
  }
  // A probe may take no more memory than the largest listed case, which the claim covers.
  const auto is_as_usual = [&](const Params& params) {
    return is_fast(params) && cost_of({task, direction, params}).bytes <= listed_bytes;
  };
  std::vector<std::vector<Config>> sets;
  for (const ConfigSet set : {ConfigSet::small, ConfigSet::single}) {
    const std::vector<Config> all = any_configs_of(manifest, task, direction, {set});
    if (all.empty()) continue;
    sets.push_back(all);
    std::erase_if(sets.back(), [&](const Config& config) { return !is_fast(config.params); });
    if (sets.back().empty()) {
      probes.left_out.push_back(too_slow(task, direction, device, set, all));
    }
  }
  for (const Probe probe : applicable) {
    const std::uint64_t choice = derived_key(nonce, to_string(probe));
    for (const std::vector<Config>& fast : sets) {
      if (fast.empty()) continue;
      const std::vector<Config> configs = suitable(task, direction, probe, fast);
      Config config = configs[choice % configs.size()];
      if (probe == Probe::repeated_row) {
        config = with_repeated_rows(task, direction, std::move(config), is_as_usual);
      }
      probes.cases.push_back({.config = std::move(config), .seed = 1, .probe = probe});
    }
  }
  return probes;
}

}  // namespace robust_kbench
