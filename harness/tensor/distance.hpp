#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace robust_kbench {

inline double distance_of(double a, double b) {
  return std::abs(a - b);
}

// It is not 0 even if both integers convert to the same double.
inline double distance_of(std::int64_t a, std::int64_t b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<double>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
}

}  // namespace robust_kbench
