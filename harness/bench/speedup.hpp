#pragma once

#include <string>

#include "core/record.hpp"

namespace robust_kbench {

// Kernel against baseline: ratio, interval and call, by samples of both. `same_within`: the ratio
// that `faster` and `slower` must lie beyond.
SpeedupRecord speedup(const std::string& config, const TimingRecord& kernel,
                      const TimingRecord& baseline, double same_within);

}  // namespace robust_kbench
