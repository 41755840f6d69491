#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "source/techniques.hpp"

namespace robust_kbench {

// A piece of advice that often makes a kernel faster.
struct Recommendation {
  std::string text;  // one sentence
  // Techniques of a kernel that follows the advice already. Empty: a source does not show it.
  std::set<Technique> techniques = {};
};

// The menu of recommendations, of which prompts show a part.
const std::vector<Recommendation>& recommendations(Device device);

// The texts of a random part of the menu, in its order. Each is left out with probability
// `left_out`, by `seed` alone. Advice that a kernel with the techniques `done` follows already is
// left out, too.
std::vector<std::string> drawn_recommendations(Device device, double left_out, std::uint64_t seed,
                                               const std::set<Technique>& done);

// The seed of all draws for the prompt of a proposal in a run of that seed.
std::uint64_t prompt_seed(int seed, std::int64_t proposal);

}  // namespace robust_kbench
