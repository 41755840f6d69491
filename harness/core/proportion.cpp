#include "core/proportion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace robust_kbench {

Interval wilson_interval(const Proportion& proportion) {
  if (proportion.of == 0) return {0, 1};
  const double n = proportion.of;
  const double square = interval_quantile * interval_quantile;
  const double share = proportion.share();
  const double center = (share + square / (2 * n)) / (1 + square / n);
  const double half = interval_quantile / (1 + square / n) *
                      std::sqrt(share * (1 - share) / n + square / (4 * n * n));
  return {std::max(0.0, center - half), std::min(1.0, center + half)};
}

std::string to_text(const Proportion& proportion) {
  const std::string counts =
      std::to_string(proportion.count) + " of " + std::to_string(proportion.of);
  if (proportion.of == 0) return "-, " + counts;
  const Interval interval = wilson_interval(proportion);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f (%.2f..%.2f), ", proportion.share(), interval.low,
                interval.high);
  return text.data() + counts;
}

}  // namespace robust_kbench
