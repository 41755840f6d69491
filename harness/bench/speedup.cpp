#include "bench/speedup.hpp"

#include "bench/race.hpp"
#include "core/statistics.hpp"

namespace robust_kbench {

SpeedupRecord speedup(const std::string& config, const TimingRecord& kernel,
                      const TimingRecord& baseline, double same_within) {
  const Interval interval = bootstrap_ratio(baseline.samples_us, kernel.samples_us, interval_seed);
  return {.config = config,
          .against = baseline.subject,
          .ratio = baseline.median_us / kernel.median_us,
          .ci_low = interval.low,
          .ci_high = interval.high,
          .call = std::string(call_ratio(interval, same_within))};
}

}  // namespace robust_kbench
