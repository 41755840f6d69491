#include "core/ratio_call.hpp"

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

constexpr EnumNames<RatioCall, 4> call_names{"call of a speed-up",
                                             {{{RatioCall::faster, "faster"},
                                               {RatioCall::slower, "slower"},
                                               {RatioCall::same, "same"},
                                               {RatioCall::ambiguous, "ambiguous"}}}};

}  // namespace

std::string_view to_string(RatioCall call) {
  return call_names.name_of(call);
}

RatioCall parse_ratio_call(std::string_view name) {
  return call_names.parse(name);
}

RatioCall call_ratio(const Interval& ratio, double within) {
  if (ratio.low > 1 + within) return RatioCall::faster;
  if (ratio.high < 1 - within) return RatioCall::slower;
  if (ratio.low >= 1 - within && ratio.high <= 1 + within) return RatioCall::same;
  return RatioCall::ambiguous;
}

}  // namespace robust_kbench
