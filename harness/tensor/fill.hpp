#pragma once

#include <cstdint>

#include <robust_kbench/task.hpp>

// The generator's loops, which write elements [first, first + count) of a stream to `out`. Every
// element is a function of the key and its index. It uses float32 operations whose every bit IEEE
// 754 defines. So all x86 machines, and all splits of a stream into parts, agree.
namespace robust_kbench {

// A stream is cut into blocks. Word j of a block is one 64-bit hash. Its low half makes element j,
// its high half element j + words_per_block. Box-Muller makes two normals at a time, and storing a
// pair half a block apart needs no shuffle.
inline constexpr std::int64_t words_per_block = 64;

void fill_normal(const Distribution& distribution, std::uint64_t key, float* out,
                 std::int64_t first, std::int64_t count);
void fill_uniform(const Distribution& distribution, std::uint64_t key, float* out,
                  std::int64_t first, std::int64_t count);
void fill_integers(const Distribution& distribution, std::uint64_t key, std::int64_t* out,
                   std::int64_t first, std::int64_t count);

}  // namespace robust_kbench
