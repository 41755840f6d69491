#pragma once

#include "bench/together_time.hpp"
#include "core/timing_record.hpp"

namespace robust_kbench {

// Lets a replay's time count in place of that in the kernel's own process, the first subject's,
// where it is certainly longer. So a false time in that process gains little even where it is no
// finding. Returns whether the replay's time counts.
bool count_longer_time(ConfigTimingRecord& timing, const TogetherTime& time, double same_within);

}  // namespace robust_kbench
