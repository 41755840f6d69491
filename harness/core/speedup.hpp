#pragma once

#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/timing_record.hpp"

namespace robust_kbench {

// The ratio that `faster` and `slower` must lie beyond. On a GPU nothing else runs, so a smaller
// difference counts as one.
constexpr double same_within(Device device) {
  return device == Device::cpu ? 0.02 : 0.01;
}

// Kernel against baseline: ratio, interval and call, by samples of both.
SpeedupRecord speedup(const TimingRecord& kernel, const TimingRecord& baseline, double same_within);

// "faster than eager", "slower than eager", "as fast as eager", "not told apart from eager".
std::string in_words(const SpeedupRecord& speedup);

// The geometric mean over configs of the speed-ups over each baseline, in the order in which these
// first appear. A baseline that is missing on some configs has the mean of the others.
std::vector<SpeedupRecord> mean_speedups(const std::vector<ConfigTimingRecord>& configs,
                                         double same_within);

}  // namespace robust_kbench
