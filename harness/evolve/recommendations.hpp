#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device.hpp"

namespace robust_kbench {

// What often makes a kernel faster, one sentence each: the menu of which prompts show a part.
const std::vector<std::string>& recommendations(Device device);

// A random part of the menu, in its order. Each sentence is left out with probability
// `left_out`, by `seed` alone.
std::vector<std::string> drawn_recommendations(Device device, double left_out, std::uint64_t seed);

// The seed of what is drawn for the prompt of a proposal in a run of that seed.
std::uint64_t prompt_seed(int seed, std::int64_t proposal);

}  // namespace robust_kbench
