#pragma once

#include <cstdint>

#include <robust_kbench/task.hpp>

// The generator's loops: elements [first, first + count) of a stream into `out`. Every element is a
// function of the key and its index, in float32 operations that IEEE 754 fixes to the bit, so all
// x86 machines and all splits of a stream into parts agree.
namespace robust_kbench {

// A stream is cut into blocks. Word j of a block is one 64-bit hash; its low half makes element j,
// its high half element j + words_per_block. (Box-Muller makes two normals at a time; a pair that
// is half a block apart needs no shuffle to store.)
inline constexpr std::int64_t words_per_block = 64;

void fill_normal(const Distribution& distribution, std::uint64_t key, float* out,
                 std::int64_t first, std::int64_t count);
void fill_uniform(const Distribution& distribution, std::uint64_t key, float* out,
                  std::int64_t first, std::int64_t count);
void fill_integers(const Distribution& distribution, std::uint64_t key, std::int64_t* out,
                   std::int64_t first, std::int64_t count);

}  // namespace robust_kbench
