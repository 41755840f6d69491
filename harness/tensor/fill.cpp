#include "tensor/fill.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "core/seed.hpp"

// Forces inlining into the loop of each instruction set below. Separate functions would be compiled
// once, for the oldest processor.
#define RKB_INLINE [[gnu::always_inline]] inline

namespace robust_kbench {
namespace {

constexpr std::int64_t block_size = 2 * words_per_block;

using Block = std::array<float, block_size>;

// splitmix64's stream: mix() adds the increment once more and finalises.
RKB_INLINE std::uint64_t hash_word(std::uint64_t key, std::uint64_t word) {
  return mix(key + word * 0x9e3779b97f4a7c15ULL);
}

// A number in [0, 1) in steps of 2^-24, each of which float32 represents exactly.
RKB_INLINE float unit_interval(std::uint32_t bits) {
  return static_cast<float>(static_cast<std::int32_t>(bits >> 8)) * 0x1p-24F;
}

// The natural logarithm of a positive, normal x <= 1. Write x = m * 2^e with m within a factor
// sqrt(2) of 1, and s = (m - 1) / (m + 1). Then ln m = 2 artanh(s). Since |s| <= 0.172, s^11 / 11
// is below rounding.
RKB_INLINE float log_of(float x) {
  constexpr std::int32_t sqrt_half = 0x3f3504f3;
  const std::int32_t bits = std::bit_cast<std::int32_t>(x) - sqrt_half;
  const std::int32_t exponent = bits >> 23;
  const float m = std::bit_cast<float>((bits & 0x7fffff) + sqrt_half);
  const float s = (m - 1.0F) / (m + 1.0F);
  const float s2 = s * s;
  const float series = 1.0F + s2 * (1.0F / 3 + s2 * (1.0F / 5 + s2 * (1.0F / 7 + s2 * (1.0F / 9))));
  return static_cast<float>(exponent) * std::numbers::ln2_v<float> + 2.0F * s * series;
}

struct Point {
  float x;
  float y;
};

// A point of the unit circle. The top two bits choose the quadrant, the rest the angle in it.
// Angles are from -pi/4 to pi/4, where both truncated Taylor series are exact to rounding.
RKB_INLINE Point on_circle(std::uint32_t bits) {
  const auto turn = static_cast<std::int32_t>(bits << 2);  // [-2^31, 2^31) is [-pi/4, pi/4)
  const float a = static_cast<float>(turn) * (std::numbers::pi_v<float> * 0x1p-33F);
  const float a2 = a * a;
  const float sine =
      a * (1.0F - a2 * (1.0F / 6 - a2 * (1.0F / 120 - a2 * (1.0F / 5040 - a2 * (1.0F / 362880)))));
  const float cosine =
      1.0F - a2 * (1.0F / 2 - a2 * (1.0F / 24 - a2 * (1.0F / 720 - a2 * (1.0F / 40320))));
  const std::uint32_t swap = 0U - ((bits >> 30) & 1U);  // all ones in an odd quadrant
  const std::uint32_t sign = bits & 0x80000000U;
  const auto c = std::bit_cast<std::uint32_t>(cosine);
  const auto s = std::bit_cast<std::uint32_t>(sine);
  const std::uint32_t x = (c & ~swap) | (s & swap);
  const std::uint32_t y = (s & ~swap) | ((c & swap) ^ (swap & 0x80000000U));
  return {std::bit_cast<float>(x ^ sign), std::bit_cast<float>(y ^ sign)};
}

// Box-Muller. The radius comes from (0, 1] in steps of 2^-31, so |z| <= 6.6.
RKB_INLINE void normal_block(const Distribution& distribution, std::uint64_t key,
                             std::uint64_t first_word, float* out) {
  const auto mean = static_cast<float>(distribution.a);
  const auto stddev = static_cast<float>(distribution.b);
  for (std::int64_t j = 0; j < words_per_block; ++j) {
    const std::uint64_t word = hash_word(key, first_word + static_cast<std::uint64_t>(j));
    const auto low = static_cast<std::uint32_t>(word);
    const float unit =
        static_cast<float>(static_cast<std::int32_t>(low >> 1)) * 0x1p-31F + 0x1p-32F;
    const float radius = stddev * std::sqrt(-2.0F * log_of(unit));
    const Point point = on_circle(static_cast<std::uint32_t>(word >> 32));
    out[j] = mean + radius * point.x;
    out[j + words_per_block] = mean + radius * point.y;
  }
}

// The result is clamped, since rounding could reach `high`, which is exclusive.
RKB_INLINE void uniform_block(const Distribution& distribution, std::uint64_t key,
                              std::uint64_t first_word, float* out) {
  const auto low = static_cast<float>(distribution.a);
  const auto high = static_cast<float>(distribution.b);
  const float span = high - low;
  const float last = std::nextafter(high, low);
  for (std::int64_t j = 0; j < words_per_block; ++j) {
    const std::uint64_t word = hash_word(key, first_word + static_cast<std::uint64_t>(j));
    const float a = low + span * unit_interval(static_cast<std::uint32_t>(word));
    const float b = low + span * unit_interval(static_cast<std::uint32_t>(word >> 32));
    out[j] = a < last ? a : last;
    out[j + words_per_block] = b < last ? b : last;
  }
}

using FillBlock = void(const Distribution&, std::uint64_t, std::uint64_t, float*);

// Whole blocks are written in place. The first and the last may be needed only in part.
template <FillBlock fill_block>
RKB_INLINE void fill(const Distribution& distribution, std::uint64_t key, float* out,
                     std::int64_t first, std::int64_t count) {
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t index = first + done;
    const std::int64_t offset = index % block_size;
    const std::int64_t part = std::min(block_size - offset, count - done);
    const auto first_word = static_cast<std::uint64_t>(index / block_size * words_per_block);
    if (part == block_size) {
      fill_block(distribution, key, first_word, out + done);
    } else {
      Block block;
      fill_block(distribution, key, first_word, block.data());
      std::copy_n(block.begin() + offset, part, out + done);
    }
    done += part;
  }
}

// One loop per instruction set. The bits are the same and only the speed differs. It is 4 times as
// high with AVX2, and 12 times with AVX-512, which multiplies 64 bits at once.
template <FillBlock fill_block>
[[gnu::target("avx2")]] void fill_avx2(const Distribution& distribution, std::uint64_t key,
                                       float* out, std::int64_t first, std::int64_t count) {
  fill<fill_block>(distribution, key, out, first, count);
}

template <FillBlock fill_block>
[[gnu::target("avx512f,avx512dq")]] void fill_avx512(const Distribution& distribution,
                                                     std::uint64_t key, float* out,
                                                     std::int64_t first, std::int64_t count) {
  fill<fill_block>(distribution, key, out, first, count);
}

template <FillBlock fill_block>
void fill_dispatch(const Distribution& distribution, std::uint64_t key, float* out,
                   std::int64_t first, std::int64_t count) {
  if (__builtin_cpu_supports("avx512dq")) {
    fill_avx512<fill_block>(distribution, key, out, first, count);
  } else if (__builtin_cpu_supports("avx2")) {
    fill_avx2<fill_block>(distribution, key, out, first, count);
  } else {
    fill<fill_block>(distribution, key, out, first, count);
  }
}

}  // namespace

void fill_normal(const Distribution& distribution, std::uint64_t key, float* out,
                 std::int64_t first, std::int64_t count) {
  fill_dispatch<normal_block>(distribution, key, out, first, count);
}

void fill_uniform(const Distribution& distribution, std::uint64_t key, float* out,
                  std::int64_t first, std::int64_t count) {
  fill_dispatch<uniform_block>(distribution, key, out, first, count);
}

void fill_integers(const Distribution& distribution, std::uint64_t key, std::int64_t* out,
                   std::int64_t first, std::int64_t count) {
  const auto low = static_cast<std::int64_t>(distribution.a);
  const auto high = static_cast<std::int64_t>(distribution.b);
  if (high <= low) {
    throw UserError("integers(" + std::to_string(low) + ", " + std::to_string(high) +
                    ") holds no number; high is exclusive");
  }
  const auto span = static_cast<unsigned __int128>(high - low);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t word = hash_word(key, static_cast<std::uint64_t>(first + i));
    out[i] = low + static_cast<std::int64_t>((span * word) >> 64);
  }
}

}  // namespace robust_kbench
