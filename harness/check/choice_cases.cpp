#include "check/choice_cases.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/cipher.hpp"
#include "core/seed.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {
namespace {

constexpr int max_tries = 200;
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

// The combination on the smallest sizes that fit, among some draws.
std::optional<Params> on_tiny_sizes(const Shapes& shapes, Params params, CipherStream& random) {
  for (int i = 0; i < max_tries; ++i) {
    const auto steps = static_cast<std::uint64_t>(3 + i / tries_per_step);
    for (const SizeRange& range : shapes.sizes) {
      if (is_choice(shapes, range)) continue;
      const std::int64_t low = (range.least + range.multiple - 1) / range.multiple;
      const std::int64_t high = range.most / range.multiple;
      const auto drawn = low + static_cast<std::int64_t>(random.below(steps));
      params.set(range.parameter, std::min(drawn, high) * range.multiple);
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

}  // namespace robust_kbench
