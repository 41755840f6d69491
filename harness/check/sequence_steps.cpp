#include "check/sequence_steps.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/cipher.hpp"
#include "core/seed.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t min_calls = 40;

}  // namespace

std::vector<Step> steps_of(const std::vector<Case>& cases, const std::vector<Case>& once,
                           std::uint64_t nonce) {
  if (cases.empty()) return {};
  CipherStream random(derived_key(nonce, "sequence"));
  std::vector<Step> steps;
  for (const Case& own : cases) steps.push_back({&own, own.seed});
  const std::size_t count = std::max(min_calls, cases.size() + cases.size() / 4);
  while (steps.size() < count)
    steps.push_back({&cases[steps.size() % cases.size()], random(), true});
  for (const Case& own : once) steps.push_back({&own, own.seed});
  std::shuffle(steps.begin(), steps.end(), random);

  std::map<std::string, std::uint64_t> last_seeds;
  for (Step& step : steps) {
    step.addresses = random.below(2) == 0 ? Addresses::same : Addresses::fresh;
    if (step.from->probe) continue;
    const auto last = last_seeds.find(step.from->config.name);
    if (step.extra && last != last_seeds.end() && random.below(2) == 0) {
      step.perturbation_key = step.seed;
      step.seed = last->second;
    }
    last_seeds[step.from->config.name] = step.seed;
  }
  return steps;
}

std::vector<Step> one_step_each(const std::vector<Case>& cases, std::uint64_t nonce) {
  CipherStream random(derived_key(nonce, "one step each"));
  std::map<std::string, std::vector<const Case*>> of_config;
  for (const Case& own : cases) of_config[own.config.name].push_back(&own);
  std::vector<Step> steps;
  for (const auto& [config, own] : of_config) {
    const Case* chosen = own[random.below(own.size())];
    steps.push_back({chosen, chosen->seed});
  }
  std::shuffle(steps.begin(), steps.end(), random);
  return steps;
}

}  // namespace robust_kbench
