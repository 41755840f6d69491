#pragma once

#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/timing_record.hpp"

namespace robust_kbench {

// The margin around a ratio of 1 that counts as `same`. A GPU's is smaller, since nothing else runs
// there.
constexpr double same_within(Device device) {
  return device == Device::cpu ? 0.02 : 0.01;
}

// The reason why the interval of a ratio proves no difference, or empty where it does.
// `disturbance` names what disturbed the machine, or is empty. Width is the factor between the
// interval's ends, and distance the factor between 1 and its nearer end.
//
// Without disturbance, an interval is doubted only if it is wider than its distance and than a
// factor of 4.
//
// Load lengthens some times more than others, such as those of calls that use all processors. When
// it comes and goes, it widens an interval more than it moves it. So a disturbed machine's interval
// is believed in three cases only. Its width is at most its distance and at most a factor of 1.5.
// Or its distance is over a factor of 2, and at least its width squared. Or its distance is over a
// factor of 100.
std::string doubt_of(const Interval& ratio, const std::string& disturbance);

// The speed-up of a kernel over a baseline: ratio, interval and call, by samples of both. Where the
// interval is doubted the call is `ambiguous`, unless it is `same`.
SpeedupRecord speedup(const TimingRecord& kernel, const TimingRecord& baseline, double same_within,
                      const std::string& disturbance = "");

// Adds `us` to all times of the kernel, the first subject, since it understates each of its calls
// by that. Its speed-ups follow.
void raise_kernel_times(ConfigTimingRecord& config, double us, double same_within);

// Gives the speed-ups of a config their ratios by replays, from its estimates.
void add_replayed_ratios(ConfigTimingRecord& config);

// "faster than eager", "slower than eager", "as fast as eager", "not told apart from eager", "the
// machine was busy: not told apart from eager".
std::string in_words(const SpeedupRecord& speedup);

// "4.00x", "0.21x", "0.0043x": two decimals, or two significant figures below 0.1.
std::string ratio_text(double ratio);
// "3.90..4.10", in the same way.
std::string interval_text(const Interval& ratio);

// The geometric mean over configs of the speed-ups over each baseline, in the order in which the
// baselines first appear. Configs that lack a baseline are left out of its mean. A mean has a ratio
// by replays where each of its configs has one.
std::vector<SpeedupRecord> mean_speedups(const std::vector<ConfigTimingRecord>& configs,
                                         double same_within);

}  // namespace robust_kbench
