#include "evaluate/probe_cases.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/seed.hpp"
#include "evaluate/repeated_rows.hpp"
#include "evaluate/scope.hpp"
#include "tensor/probe.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr double max_reference_seconds = 0.2;

// The least speed of float64 references, in FLOP/s and in bytes of a contract's cost per second.
// One is of two cores of a server, the other of an H100.
struct ReferenceSpeed {
  double flops;
  double bytes;
};
constexpr ReferenceSpeed cpu_speed{1e10, 1e9};
constexpr ReferenceSpeed gpu_speed{2e12, 5e10};

Cost cost_of(const Workload& workload) {
  const auto& cost = workload.contract().cost;
  return cost ? cost(workload.params) : Cost{};
}

double reference_seconds(const Workload& workload, Device device) {
  const auto [flops, bytes] = device == Device::cuda ? gpu_speed : cpu_speed;
  const Cost cost = cost_of(workload);
  return cost.flops / flops + cost.bytes / bytes;
}

// The configs of a set that are fast enough, without those that do less than the median of work.
std::vector<Config> suitable(const Task& task, Direction direction, Device device,
                             std::vector<Config> configs) {
  std::erase_if(configs, [&](const Config& config) {
    return reference_seconds({task, direction, config.params}, device) > max_reference_seconds;
  });
  const auto work = [&](const Config& config) {
    return cost_of({task, direction, config.params}).flops;
  };
  std::stable_sort(configs.begin(), configs.end(),
                   [&](const Config& a, const Config& b) { return work(a) < work(b); });
  configs.erase(configs.begin(), configs.begin() + static_cast<std::ptrdiff_t>(configs.size() / 2));
  return configs;
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
  std::vector<std::vector<Config>> sets;
  for (const ConfigSet set : {ConfigSet::small, ConfigSet::single}) {
    const std::vector<Config> all = any_configs_of(manifest, task, direction, {set});
    if (all.empty()) continue;
    sets.push_back(suitable(task, direction, device, all));
    if (sets.back().empty()) {
      probes.left_out.push_back(too_slow(task, direction, device, set, all));
    }
  }
  const auto is_fast = [&](const Params& params) {
    return reference_seconds({task, direction, params}, device) <= max_reference_seconds;
  };
  for (const Probe probe : applicable) {
    const std::uint64_t choice = mix(nonce ^ hash(to_string(probe)));
    for (const std::vector<Config>& configs : sets) {
      if (configs.empty()) continue;
      Config config = configs[choice % configs.size()];
      if (probe == Probe::repeated_row) {
        config = with_repeated_rows(task, direction, std::move(config), is_fast);
      }
      probes.cases.push_back({.config = std::move(config), .seed = 1, .probe = probe});
    }
  }
  return probes;
}

}  // namespace robust_kbench
