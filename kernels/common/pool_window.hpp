#pragma once

#include <algorithm>
#include <cstdint>

#include "simd.hpp"

// 2 x 2 windows of max pooling.
namespace kernels {

// The greater of two, and NaN where one of them is, as torch has it.
inline float greater(float a, float b) {
  return b > a || b != b ? b : a;
}

// Says where b replaces a as the greatest so far. The result is a mask, since a branch would be
// mispredicted every other time.
inline bool beats(float b, float a) {
  return b > a || b != b;
}
KERNELS_INLINE Mask beats(Vec b, Vec a) {
  return (b > a) | (b != b);
}

KERNELS_INLINE Vec keep(Vec values, Mask where) {
  return reinterpret_cast<Vec>(reinterpret_cast<Mask>(values) & where);
}

// Routes the gradients of eight windows, four from the first on and four from window `second` on.
// The greatest element of a window gets its gradient, the others 0.
KERNELS_INLINE void route_eight(const float* upper, const float* lower, const float* grad,
                                int64_t second, float* upper_dx, float* lower_dx) {
  const auto even = [second](const float* row) {
    return __builtin_shufflevector(load(row), load(row + 2 * second), 0, 2, 4, 6, 8, 10, 12, 14);
  };
  const auto odd = [second](const float* row) {
    return __builtin_shufflevector(load(row), load(row + 2 * second), 1, 3, 5, 7, 9, 11, 13, 15);
  };
  const auto interleave = [second](float* row, Vec a, Vec b) {
    store(row, __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
    store(row + 2 * second, __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
  };
  const Mask above = beats(odd(upper), even(upper));
  const Mask below = beats(odd(lower), even(lower));
  const Vec greatest_above = above ? odd(upper) : even(upper);
  const Vec greatest_below = below ? odd(lower) : even(lower);
  const Mask down = beats(greatest_below, greatest_above);
  const Vec g = Vec{grad[0],      grad[1],          grad[2],          grad[3],
                    grad[second], grad[second + 1], grad[second + 2], grad[second + 3]};
  interleave(upper_dx, keep(g, ~down & ~above), keep(g, ~down & above));
  interleave(lower_dx, keep(g, down & ~below), keep(g, down & below));
}

// The same for the `count` windows of two rows: the first of equals in reading order wins, or the
// last NaN. Where eights or fours do not fit, the last ones overlap those before, which get the
// same values twice.
inline void route_row(const float* upper, const float* lower, const float* grad, int64_t count,
                      float* upper_dx, float* lower_dx) {
  if (count >= kLanes) {
    for (int64_t next = 0; next < count; next += kLanes) {
      const int64_t j = std::min(next, count - kLanes);
      route_eight(upper + 2 * j, lower + 2 * j, grad + j, 4, upper_dx + 2 * j, lower_dx + 2 * j);
    }
  } else if (count >= 4) {
    route_eight(upper, lower, grad, count - 4, upper_dx, lower_dx);
  } else {
    for (int64_t j = 0; j < count; ++j) {
      const int64_t left = 2 * j;
      const bool above = beats(upper[left + 1], upper[left]);
      const bool below = beats(lower[left + 1], lower[left]);
      const bool down = beats(lower[left + below], upper[left + above]);
      upper_dx[left] = !down && !above ? grad[j] : 0.0f;
      upper_dx[left + 1] = !down && above ? grad[j] : 0.0f;
      lower_dx[left] = down && !below ? grad[j] : 0.0f;
      lower_dx[left + 1] = down && below ? grad[j] : 0.0f;
    }
  }
}

}  // namespace kernels
