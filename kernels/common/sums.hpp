#pragma once

#include <cstdint>

// Sums that vectorise without -ffast-math: what may be added in any order is said in the source.
namespace kernels {

// N sums over i of terms(i)[0..N), each kept as 16 partial sums, which GCC turns into two vector
// registers: several independent additions in flight, and rounding errors of a pairwise kind.
template <int N>
struct Sums {
  float of[N];
};

template <int N, class Terms>
inline __attribute__((always_inline)) Sums<N> sum_over(int64_t count, const Terms& terms) {
  constexpr int kPartial = N == 1 ? 32 : 16;
  float partial[N][kPartial] = {};
  int64_t i = 0;
  for (; i + kPartial <= count; i += kPartial) {
    for (int lane = 0; lane < kPartial; ++lane) {
      const Sums<N> term = terms(i + lane);
      for (int n = 0; n < N; ++n) partial[n][lane] += term.of[n];
    }
  }
  for (int lane = 0; i < count; ++i, ++lane) {
    const Sums<N> term = terms(i);
    for (int n = 0; n < N; ++n) partial[n][lane] += term.of[n];
  }
  Sums<N> total;
  for (int n = 0; n < N; ++n) {
    for (int half = kPartial / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; ++lane) partial[n][lane] += partial[n][lane + half];
    }
    total.of[n] = partial[n][0];
  }
  return total;
}

}  // namespace kernels
