#include "replay/longer_time.hpp"

#include "core/speedup.hpp"

namespace robust_kbench {
namespace {

// Honest replays were hardly ever seen to take longer than this (docs/recording.md).
constexpr double same_share = 1.05;
constexpr double same_difference_us = 0.3;
constexpr double same_difference_after_fill_us = 2.5;

}  // namespace

bool count_longer_time(ConfigTimingRecord& timing, const ReplayTime& time, double same_within) {
  const TimingRecord& own = timing.subjects.front();
  const double difference_us =
      time.begins_with_fill ? same_difference_after_fill_us : same_difference_us;
  if (time.low_us <= same_share * own.ci_high_us + difference_us) return false;
  raise_kernel_times(timing, time.us - own.median_us, same_within);
  return true;
}

}  // namespace robust_kbench
