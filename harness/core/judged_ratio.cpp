#include "core/judged_ratio.hpp"

#include "core/speedup.hpp"

namespace robust_kbench {

SpeedupRecord judged_ratio(const std::string& against, double ratio, const Interval& interval,
                           double same_within, const std::string& disturbance) {
  SpeedupRecord record{.against = against,
                       .ratio = ratio,
                       .ci_low = interval.low,
                       .ci_high = interval.high,
                       .call = call_ratio(interval, same_within)};
  if (record.call == RatioCall::same) return record;
  record.doubt = doubt_of(interval, disturbance);
  if (!record.doubt.empty()) record.call = RatioCall::ambiguous;
  return record;
}

}  // namespace robust_kbench
