#include "replay/longer_time.hpp"

#include "core/speedup.hpp"

namespace robust_kbench {
namespace {

// Honest replays were hardly ever seen to take longer than this (docs/recording.md).
constexpr double same_share = 1.05;
constexpr double same_difference_us = 0.3;

}  // namespace

bool count_longer_time(ConfigTimingRecord& timing, const TogetherTime& time, double same_within) {
  const TimingRecord& own = timing.subjects.front();
  if (time.low_us <= same_share * own.ci_high_us + same_difference_us) return false;
  raise_kernel_times(timing, time.us - own.median_us, same_within);
  return true;
}

}  // namespace robust_kbench
