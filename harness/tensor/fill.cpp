#include "tensor/fill.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/cipher.hpp"
#include "core/error.hpp"

// Forces inlining into the loop of each instruction set below. Separate functions would be compiled
// once, for the oldest processor.
#define RKB_INLINE [[gnu::always_inline]] inline

namespace robust_kbench {
namespace {

constexpr std::size_t half_block = block_elements / 2;

using Block = std::array<float, block_elements>;
using Bits = std::array<std::uint32_t, block_elements>;

// One word of each of the cipher's blocks that make one of ours. Where an instruction set has
// narrower vectors, the compiler takes several for one of these.
using Lanes [[gnu::vector_size(cipher_lanes * sizeof(std::uint32_t))]] = std::uint32_t;

// Draws the bits of block `index`. Word i of the cipher's block l makes element cipher_lanes i + l.
RKB_INLINE void draw(std::uint64_t key, std::uint64_t index, Bits& bits) {
  const CipherBlock input = cipher_input(key, index * cipher_lanes);
  Lanes number{};
  for (std::uint32_t lane = 0; lane < cipher_lanes; ++lane) number[lane] = lane;
  Lanes words[cipher_words] = {};
  for (std::size_t i = 0; i < cipher_words; ++i) words[i] += input[i];
  words[cipher_counter_word] += number;
  cipher_rounds(words);
  words[cipher_counter_word] += number;
  for (std::size_t i = 0; i < cipher_words; ++i) {
    words[i] += input[i];
    std::memcpy(bits.data() + i * cipher_lanes, &words[i], sizeof words[i]);
  }
}

// A number in [0, 1) in steps of 2^-24, each of which float32 represents exactly.
RKB_INLINE float unit_interval(std::uint32_t bits) {
  return static_cast<float>(static_cast<std::int32_t>(bits >> 8)) * 0x1p-24F;
}

// The sum of c[i] x^i. A loop here would keep the compiler from vectorising its callers.
RKB_INLINE float polynomial(float x, const Series& c) {
  return std::fma(std::fma(std::fma(std::fma(c[4], x, c[3]), x, c[2]), x, c[1]), x, c[0]);
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
  const float series = polynomial(s2, log_series);
  return std::fma(static_cast<float>(exponent), std::numbers::ln2_v<float>, 2.0F * s * series);
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
  const float sine = a * polynomial(a2, sine_series);
  const float cosine = polynomial(a2, cosine_series);
  const std::uint32_t swap = 0U - ((bits >> 30) & 1U);  // all ones in an odd quadrant
  const std::uint32_t sign = bits & 0x80000000U;
  const auto c = std::bit_cast<std::uint32_t>(cosine);
  const auto s = std::bit_cast<std::uint32_t>(sine);
  const std::uint32_t x = (c & ~swap) | (s & swap);
  const std::uint32_t y = (s & ~swap) | ((c & swap) ^ (swap & 0x80000000U));
  return {std::bit_cast<float>(x ^ sign), std::bit_cast<float>(y ^ sign)};
}

// Box-Muller. The radius comes from (0, 1] in steps of 2^-31, so |z| <= 6.6.
RKB_INLINE void normal_block(const Distribution& distribution, const Bits& bits, float* out) {
  const auto mean = static_cast<float>(distribution.a);
  const auto stddev = static_cast<float>(distribution.b);
  for (std::size_t j = 0; j < half_block; ++j) {
    const float unit =
        std::fma(static_cast<float>(static_cast<std::int32_t>(bits[j] >> 1)), 0x1p-31F, 0x1p-32F);
    const float radius = stddev * std::sqrt(-2.0F * log_of(unit));
    const Point point = on_circle(bits[j + half_block]);
    out[j] = std::fma(radius, point.x, mean);
    out[j + half_block] = std::fma(radius, point.y, mean);
  }
}

// The result is clamped, since rounding could reach `high`, which is exclusive.
RKB_INLINE void uniform_block(const Distribution& distribution, const Bits& bits, float* out) {
  const auto low = static_cast<float>(distribution.a);
  const auto high = static_cast<float>(distribution.b);
  const float span = high - low;
  const float last = std::nextafter(high, low);
  for (std::size_t j = 0; j < bits.size(); ++j) {
    const float drawn = std::fma(span, unit_interval(bits[j]), low);
    out[j] = drawn < last ? drawn : last;
  }
}

using FillBlock = void(const Distribution&, const Bits&, float*);

// Whole blocks are written in place. The first and the last may be needed only in part.
template <FillBlock fill_block>
RKB_INLINE void fill(const Distribution& distribution, std::uint64_t key, float* out,
                     std::int64_t first, std::int64_t count) {
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t index = first + done;
    const std::int64_t offset = index % block_elements;
    const std::int64_t part = std::min(block_elements - offset, count - done);
    alignas(sizeof(Lanes)) Bits bits;
    draw(key, static_cast<std::uint64_t>(index / block_elements), bits);
    if (part == block_elements) {
      fill_block(distribution, bits, out + done);
    } else {
      Block block;
      fill_block(distribution, bits, block.data());
      std::copy_n(block.begin() + offset, part, out + done);
    }
    done += part;
  }
}

// One loop per instruction set. The bits are the same and only the speed differs, most of all where
// a processor has no instruction for fma().
template <FillBlock fill_block>
[[gnu::target("avx2,fma")]] void fill_avx2(const Distribution& distribution, std::uint64_t key,
                                           float* out, std::int64_t first, std::int64_t count) {
  fill<fill_block>(distribution, key, out, first, count);
}

template <FillBlock fill_block>
[[gnu::target("avx512f,avx512dq,fma")]] void fill_avx512(const Distribution& distribution,
                                                         std::uint64_t key, float* out,
                                                         std::int64_t first, std::int64_t count) {
  fill<fill_block>(distribution, key, out, first, count);
}

template <FillBlock fill_block>
void fill_dispatch(const Distribution& distribution, std::uint64_t key, float* out,
                   std::int64_t first, std::int64_t count) {
  if (__builtin_cpu_supports("avx512dq")) {
    fill_avx512<fill_block>(distribution, key, out, first, count);
  } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
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
  constexpr auto block_integers = static_cast<std::int64_t>(half_block);
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t index = first + done;
    const std::int64_t end = std::min(count, done + block_integers - index % block_integers);
    alignas(sizeof(Lanes)) Bits bits;
    draw(key, static_cast<std::uint64_t>(index / block_integers), bits);
    for (auto j = static_cast<std::size_t>(index % block_integers); done < end; ++done, ++j) {
      const std::uint64_t word = bits[j] | std::uint64_t{bits[j + half_block]} << 32;
      out[done] = low + static_cast<std::int64_t>((span * word) >> 64);
    }
  }
}

}  // namespace robust_kbench
