#include "evolve/nearby_configs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t wanted = 3;
constexpr int max_tries = 1000;
constexpr double farthest = 0.25;

Params moved(const Task& task, Params params, CipherStream& random) {
  constexpr double steps = 1 << 20;
  for (const SizeRange& range : task.shapes->sizes) {
    const double part = static_cast<double>(random.below(1 << 20)) / steps;
    const double size =
        static_cast<double>(params.integer(range.parameter)) * (1 + farthest * (2 * part - 1));
    const auto multiples = std::llround(size / static_cast<double>(range.multiple));
    params.set(range.parameter,
               std::clamp<std::int64_t>(multiples * range.multiple, range.least, range.most));
  }
  return params;
}

}  // namespace

std::vector<Config> nearby_configs(const Task& task, Direction direction,
                                   const std::vector<Config>& listed, std::uint64_t nonce) {
  if (!task.shapes || task.shapes->sizes.empty()) return {};
  std::vector<Config> largest = listed;
  const auto larger = [&](const Config& a, const Config& b) {
    return elements_of({task, direction, a.params}).value_or(0) >
           elements_of({task, direction, b.params}).value_or(0);
  };
  std::stable_sort(largest.begin(), largest.end(), larger);
  largest.resize(std::min(largest.size(), wanted));

  CipherStream random(derived_key(nonce, "nearby configs of " + task.name));
  std::vector<Config> nearby;
  const auto is_new = [&](const Params& params) {
    const auto is_it = [&](const Config& known) { return known.params == params; };
    return std::none_of(listed.begin(), listed.end(), is_it) &&
           std::none_of(nearby.begin(), nearby.end(), is_it);
  };
  for (const Config& config : largest) {
    for (int i = 0; i < max_tries; ++i) {
      Params params = moved(task, config.params, random);
      if (!is_new(params) || !elements_of({task, direction, params})) continue;
      if (task.shapes->valid && !task.shapes->valid(params)) continue;
      nearby.push_back({.set = ConfigSet::drawn,
                        .name = "unseen_" + std::to_string(nearby.size() + 1),
                        .params = std::move(params)});
      break;
    }
  }
  return nearby;
}

}  // namespace robust_kbench
