#include "check/cases_called_once.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "tensor/workload.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {
namespace {

constexpr int max_tries = 200;
// Limits of a config whose sizes are long but for one. A slow kernel does this in a second.
constexpr double most_elements_of_long_sizes = 1 << 18;
constexpr double most_flops_of_long_sizes = 2e7;
constexpr int tries_per_step = 8;  // sizes grow by one step after so many draws that do not fit

std::vector<Params> combinations(const Task& task) {
  std::vector<Params> all{task.defaults};
  for (const Choice& choice : task.shapes->choices) {
    std::vector<Params> longer;
    for (const Params& params : all) {
      for (const ParamValue& value : choice.values) {
        longer.push_back(params);
        longer.back().set(choice.parameter, value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

bool is_choice(const Shapes& shapes, const SizeRange& range) {
  return std::ranges::find(shapes.choices, range.parameter, &Choice::parameter) !=
         shapes.choices.end();
}

std::int64_t least_of(const SizeRange& range) {
  return (range.least + range.multiple - 1) / range.multiple * range.multiple;
}

std::int64_t greatest_of(const SizeRange& range) {
  return range.most / range.multiple * range.multiple;
}

// The least of a size, with all others as long as the task and the number of elements allow.
std::optional<Params> with_long_others(const Task& task, const std::string& short_one) {
  for (double share = 1.0; share > 0.0; share -= 1.0 / 16) {
    Params params = task.defaults;
    for (const SizeRange& range : task.shapes->sizes) {
      if (is_choice(*task.shapes, range)) continue;
      const auto steps = static_cast<double>(greatest_of(range) / range.multiple);
      const std::int64_t size = static_cast<std::int64_t>(std::pow(steps, share)) * range.multiple;
      const bool is_short = range.parameter == short_one;
      params.set(range.parameter, is_short ? least_of(range) : std::max(least_of(range), size));
    }
    if (task.shapes->valid && !task.shapes->valid(params)) continue;
    const Workload workload{task, Direction::forward, params};
    const auto elements = elements_of(workload);
    if (elements && *elements <= most_elements_of_long_sizes &&
        cost_of(workload).flops <= most_flops_of_long_sizes) {
      return params;
    }
  }
  return std::nullopt;
}

// The parameters on the smallest sizes that fit, among some draws. A size named `kept` stays.
std::optional<Params> on_tiny_sizes(const Shapes& shapes, Params params, CipherStream& random,
                                    const std::string& kept = "") {
  for (int i = 0; i < max_tries; ++i) {
    const auto steps = static_cast<std::uint64_t>(3 + i / tries_per_step);
    for (const SizeRange& range : shapes.sizes) {
      if (is_choice(shapes, range) || range.parameter == kept) continue;
      const auto beyond = static_cast<std::int64_t>(random.below(steps)) * range.multiple;
      params.set(range.parameter, std::min(least_of(range) + beyond, greatest_of(range)));
    }
    if (!shapes.valid || shapes.valid(params)) return params;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Case> choice_cases(const Task& task, std::uint64_t nonce) {
  if (!task.shapes || task.shapes->choices.empty()) return {};
  CipherStream random(derived_key(nonce, "choices of " + task.name));
  std::vector<Params> all = combinations(task);
  std::shuffle(all.begin(), all.end(), random);
  std::vector<Case> cases;
  for (Params& combination : all) {
    std::optional<Params> params = on_tiny_sizes(*task.shapes, std::move(combination), random);
    if (!params) continue;
    if (cases.size() == max_choice_cases) break;
    Config config{.set = ConfigSet::drawn,
                  .name = "choice_" + std::to_string(cases.size() + 1),
                  .params = *std::move(params)};
    cases.push_back({.config = std::move(config), .seed = random()});
  }
  return cases;
}

std::vector<Case> extreme_cases(const Task& task, std::uint64_t nonce) {
  if (!task.shapes) return {};
  const Shapes& shapes = *task.shapes;
  CipherStream random(derived_key(nonce, "extreme sizes of " + task.name));
  std::vector<Case> cases;
  int number = 0;
  for (const SizeRange& range : shapes.sizes) {
    if (is_choice(shapes, range)) continue;
    Params longest = task.defaults;
    longest.set(range.parameter, greatest_of(range));
    ++number;
    for (const auto& [name, params] :
         {std::pair{"longest_", on_tiny_sizes(shapes, longest, random, range.parameter)},
          std::pair{"shortest_", with_long_others(task, range.parameter)}}) {
      if (!params) continue;
      Config config{
          .set = ConfigSet::drawn, .name = name + std::to_string(number), .params = *params};
      cases.push_back({.config = std::move(config), .seed = random()});
    }
  }
  return cases;
}

}  // namespace robust_kbench
