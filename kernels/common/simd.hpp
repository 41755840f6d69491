#pragma once

#include <cmath>
#include <cstdint>

// Eight floats in GCC's vector extension. One source becomes AVX2, two SSE registers or two NEON
// registers. Loops that GCC vectorises by itself are left to it. These vectors are for tiles whose
// accumulators have to stay in registers.
namespace kernels {

#define KERNELS_INLINE inline __attribute__((always_inline))

constexpr int64_t kLanes = 8;
using Vec = float __attribute__((vector_size(32)));
using Mask = int32_t __attribute__((vector_size(32)));

// The widest vector that the CPU multiplies at full speed, for the loops that it alone limits.
#ifdef __AVX512F__
constexpr int64_t kWideLanes = 16;
using Wide = float __attribute__((vector_size(64)));
#else
constexpr int64_t kWideLanes = kLanes;
using Wide = Vec;
#endif

template <class V = Vec>
KERNELS_INLINE V load(const float* from) {
  V vec;
  __builtin_memcpy(&vec, from, sizeof vec);
  return vec;
}

template <class V>
KERNELS_INLINE void store(float* to, V vec) {
  __builtin_memcpy(to, &vec, sizeof vec);
}

template <class V = Vec>
KERNELS_INLINE V broadcast(float value) {
  return value - V{};
}

// All lanes folded into one by `combine`, in three steps.
template <class Combine>
KERNELS_INLINE float fold(Vec v, const Combine& combine) {
  v = combine(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
  v = combine(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
  v = combine(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
  return v[0];
}

KERNELS_INLINE float sum(Vec v) {
  return fold(v, [](Vec a, Vec b) { return a + b; });
}

KERNELS_INLINE float maximum(Vec v) {
  return fold(v, [](Vec a, Vec b) { return a > b ? a : b; });
}

// The sums of four vectors, in order, with three shuffles each instead of four separate reductions.
KERNELS_INLINE void sum4(Vec a, Vec b, Vec c, Vec d, float* sums) {
  const Vec ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13) +
                 __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  const Vec cd = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13) +
                 __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
  const Vec abcd = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13) +
                   __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
  for (int i = 0; i < 4; ++i) sums[i] = abcd[i] + abcd[i + 4];
}

// Eight floats from `from` on, `fill` from the `count`th lane on; reads no more than `count`.
KERNELS_INLINE Vec load_first(const float* from, int64_t count, float fill) {
  alignas(32) float lanes[kLanes] = {fill, fill, fill, fill, fill, fill, fill, fill};
  for (int64_t i = 0; i < count; ++i) lanes[i] = from[i];
  return load(lanes);
}

// Loads the last `count` < 8 of the floats that end at `end` into the last lanes. The lanes before
// get `fill`. It reads eight floats, so as many must precede `end`. The surplus ones are masked,
// not multiplied by 0.
KERNELS_INLINE Vec load_last(const float* end, int64_t count, float fill) {
  constexpr Mask kLane = {0, 1, 2, 3, 4, 5, 6, 7};
  return kLane >= static_cast<int32_t>(kLanes - count) ? load(end - kLanes) : broadcast(fill);
}

KERNELS_INLINE void store_first(float* to, int64_t count, Vec vec) {
  alignas(32) float lanes[kLanes];
  store(lanes, vec);
  for (int64_t i = 0; i < count; ++i) to[i] = lanes[i];
}

// e^x within 2 ulp for each lane. With x = n ln 2 + r it is 2^n e^r, where e^r comes from its
// Taylor polynomial. |r| <= ln 2 / 2, so the first term left out is below 6e-9. 2^n is made by
// writing n into the exponent.
template <class V>
KERNELS_INLINE V exponential(V x) {
  using Whole = decltype(x > x);         // as many int32_t
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  constexpr float kLowest = -87.3f;     // below, e^x is no normal float; 2^-126 is near enough to 0
  constexpr float kHighest = 88.7228f;  // above, e^x is infinite
  const Whole infinite = x > kHighest;
  x = x < kLowest ? broadcast<V>(kLowest) : x;
  x = infinite ? broadcast<V>(kHighest) : x;
  const V n = (x * 1.44269504f + kRound) - kRound;
  const V r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  V p = broadcast<V>(1.0f / 5040);
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 1.0f / 2;
  p = p * r * r + r + 1.0f;
  // Two factors, since 2^128 has no exponent of its own.
  const Whole whole = __builtin_convertvector(n, Whole);
  const Whole half = whole >> 1;
  const V low = reinterpret_cast<V>((half + 127) << 23);
  const V high = reinterpret_cast<V>((whole - half + 127) << 23);
  return infinite ? broadcast<V>(HUGE_VALF) : p * low * high;
}

}  // namespace kernels
