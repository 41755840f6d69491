#pragma once

#include <string_view>

#include "core/statistics.hpp"

namespace robust_kbench {

// The conclusion that the interval of a speed-up allows.
enum class RatioCall { faster, slower, same, ambiguous };

std::string_view to_string(RatioCall call);
RatioCall parse_ratio_call(std::string_view name);  // throws UserError

// `faster` or `slower` where the whole interval lies beyond 1 +- within. `same` where it lies
// wholly inside, else `ambiguous`.
RatioCall call_ratio(const Interval& ratio, double within);

}  // namespace robust_kbench
