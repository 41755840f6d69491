#pragma once

#include <cstdint>

#include "simd.hpp"

namespace kernels {

// Calls visit(index, vec, width) for each eight of a row, the last one filled with `fill`.
template <class Visit>
KERNELS_INLINE void for_eights(const float* row, int64_t count, float fill, const Visit& visit) {
  int64_t j = 0;
  for (; j + kLanes <= count; j += kLanes) visit(j, load(row + j), kLanes);
  if (j < count) visit(j, load_first(row + j, count - j, fill), count - j);
}

// What turns a row into its softmax: e^(x - max) / sum.
struct Softmax {
  float max;
  float sum;
};

KERNELS_INLINE Softmax softmax_of(const float* row, int64_t count) {
  Vec greatest = broadcast(-HUGE_VALF);
  for_eights(row, count, -HUGE_VALF,
             [&](int64_t, Vec x, int64_t) { greatest = x > greatest ? x : greatest; });
  float max = greatest[0];
  for (int lane = 1; lane < kLanes; ++lane) max = greatest[lane] > max ? greatest[lane] : max;
  Vec total = {};
  for_eights(row, count, -HUGE_VALF,
             [&](int64_t, Vec x, int64_t) { total += exponential(x - max); });
  return {max, kernels::sum(total)};
}

}  // namespace kernels
