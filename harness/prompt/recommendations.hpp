#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "source/techniques.hpp"

namespace robust_kbench {

// What often makes a kernel faster.
struct Recommendation {
  std::string text;  // one sentence
  // A kernel that has all of these does so already. Empty: a source does not show it.
  std::set<Technique> techniques = {};
};

// The menu of which prompts show a part.
const std::vector<Recommendation>& recommendations(Device device);

// The texts of a random part of the menu, in its order. Each is left out with probability
// `left_out`, by `seed` alone. So is what a kernel with the techniques `done` does already.
std::vector<std::string> drawn_recommendations(Device device, double left_out, std::uint64_t seed,
                                               const std::set<Technique>& done);

// The seed of what is drawn for the prompt of a proposal in a run of that seed.
std::uint64_t prompt_seed(int seed, std::int64_t proposal);

}  // namespace robust_kbench
