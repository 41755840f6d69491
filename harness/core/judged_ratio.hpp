#pragma once

#include <string>

#include "core/timing_record.hpp"

namespace robust_kbench {

// A ratio with its interval as a speed-up over `against`: its call, and its doubt where there is
// one (doubt_of()). A doubted call is `ambiguous`, unless it is `same`.
SpeedupRecord judged_ratio(const std::string& against, double ratio, const Interval& interval,
                           double same_within, const std::string& disturbance);

}  // namespace robust_kbench
