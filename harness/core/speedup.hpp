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

// Why the interval of a ratio is no evidence that one is faster, or empty where it is.
// `disturbance` names what disturbed the machine. Load lengthens some times more than others, such
// as those of calls that use all processors. An interval is clear where it is further from 1 than
// it is wide, as a factor. A disturbed machine's is evidence where it is clear and spans less than
// a factor of 1.5, or lies beyond a factor of 100. So it is where it lies beyond a factor of 2 and
// twice as far from 1 as it is wide. Load that comes and goes widens an interval more than it moves
// it. Any other is none only where it is not clear and spans more than a factor of 4.
std::string doubt_of(const Interval& ratio, const std::string& disturbance);

// Kernel against baseline: ratio, interval and call, by samples of both. Where the interval is
// doubted the call is `ambiguous`, unless it is `same`.
SpeedupRecord speedup(const TimingRecord& kernel, const TimingRecord& baseline, double same_within,
                      const std::string& disturbance = "");

// "faster than eager", "slower than eager", "as fast as eager", "not told apart from eager", "the
// machine was busy: not told apart from eager".
std::string in_words(const SpeedupRecord& speedup);

// "4.00x", "0.21x", "0.0043x": two decimals, or two figures where these would say too little.
std::string ratio_text(double ratio);
// "3.90..4.10", in the same way.
std::string interval_text(const Interval& ratio);

// The geometric mean over configs of the speed-ups over each baseline, in the order in which these
// first appear. A baseline that is missing on some configs has the mean of the others.
std::vector<SpeedupRecord> mean_speedups(const std::vector<ConfigTimingRecord>& configs,
                                         double same_within);

}  // namespace robust_kbench
