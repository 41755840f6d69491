#pragma once

#include <cstdint>

#include "simd.hpp"

// Sums over the elements of arrays that vectorise without -ffast-math.
namespace kernels {

// The addends of one step to each of N sums. Real is a float or eight of them.
template <class Real, int N>
struct Terms {
  Real of[N];
};

template <class Real, class... More>
KERNELS_INLINE Terms<Real, 1 + sizeof...(More)> terms(Real first, More... more) {
  return {{first, more...}};
}

// Makes N sums over i in [0, count) of what `step` makes of element i of its arrays. `step` is
// written once for floats and vectors. It gets a `read` and returns terms(...):
//   [x, y](const auto& read) { return terms(read(x) * read(y)); }
// Eight accumulators in all keep several additions in flight and each partial sum short.
template <int N, class Step>
KERNELS_INLINE Terms<float, N> sum_over(int64_t count, const Step& step) {
  constexpr int kUnroll = N >= 4 ? 2 : 8 / N;
  Vec sums[N][kUnroll] = {};
  int64_t i = 0;
  for (; i + kUnroll * kLanes <= count; i += kUnroll * kLanes) {
    for (int u = 0; u < kUnroll; ++u) {
      const int64_t at = i + u * kLanes;
      const Terms<Vec, N> term = step([at](const float* from) { return load(from + at); });
      for (int n = 0; n < N; ++n) sums[n][u] += term.of[n];
    }
  }
  for (; i + kLanes <= count; i += kLanes) {
    const Terms<Vec, N> term = step([i](const float* from) { return load(from + i); });
    for (int n = 0; n < N; ++n) sums[n][0] += term.of[n];
  }
  Terms<float, N> totals;
  for (int n = 0; n < N; ++n) {
    for (int u = 1; u < kUnroll; ++u) sums[n][0] += sums[n][u];
    totals.of[n] = sum(sums[n][0]);
  }
  for (; i < count; ++i) {
    const Terms<float, N> term = step([i](const float* from) { return from[i]; });
    for (int n = 0; n < N; ++n) totals.of[n] += term.of[n];
  }
  return totals;
}

}  // namespace kernels
