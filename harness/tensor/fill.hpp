#pragma once

#include <array>
#include <cstdint>

#include <robust_kbench/distribution.hpp>

// The generator's loops, which write elements [first, first + count) of a stream to `out`. Every
// element is a function of the key and its index. The cipher (core/cipher.hpp) makes its bits. The
// number comes from them by float32 operations whose every bit IEEE 754 defines. So all x86
// machines, GPUs, and all splits of a stream into parts, agree.
namespace robust_kbench {

// A block of elements is made of `cipher_lanes` consecutive blocks of the cipher, in 16 words each.
// Box-Muller makes two normals at a time. Storing a pair half a block apart needs no shuffle.
inline constexpr std::int64_t cipher_lanes = 16;
inline constexpr std::int64_t block_elements = 256;

// The Taylor series of sin(a) / a and cos(a) in a^2, and of artanh(s) / s in s^2, which Box-Muller
// takes.
using Series = std::array<float, 5>;
inline constexpr Series sine_series{1.0F, -1.0F / 6, 1.0F / 120, -1.0F / 5040, 1.0F / 362880};
inline constexpr Series cosine_series{1.0F, -1.0F / 2, 1.0F / 24, -1.0F / 720, 1.0F / 40320};
inline constexpr Series log_series{1.0F, 1.0F / 3, 1.0F / 5, 1.0F / 7, 1.0F / 9};

void fill_normal(const Distribution& distribution, std::uint64_t key, float* out,
                 std::int64_t first, std::int64_t count);
void fill_uniform(const Distribution& distribution, std::uint64_t key, float* out,
                  std::int64_t first, std::int64_t count);
void fill_integers(const Distribution& distribution, std::uint64_t key, std::int64_t* out,
                   std::int64_t first, std::int64_t count);

}  // namespace robust_kbench
