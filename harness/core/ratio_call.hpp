#pragma once

#include <string_view>

#include "core/statistics.hpp"

namespace robust_kbench {

// What the interval of a speed-up allows to say.
enum class RatioCall { faster, slower, same, ambiguous };

std::string_view to_string(RatioCall call);
RatioCall parse_ratio_call(std::string_view name);  // throws UserError

// `faster`, `slower`: the whole interval lies beyond 1 +- within; `same`: wholly inside; else
// `ambiguous`.
RatioCall call_ratio(const Interval& ratio, double within);

}  // namespace robust_kbench
