#include "runner/unwritten_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <malloc.h>

#include "core/cipher.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t stack_bytes = std::size_t{64} << 10;

// glibc keeps up to seven free blocks of each small size in one list, and further ones elsewhere.
constexpr std::size_t small_step = 16;
constexpr std::size_t small_most = 1024;
constexpr std::size_t blocks_of_a_size = 8;
constexpr std::size_t large_most = std::size_t{2} << 20;
constexpr std::size_t large_sizes = std::bit_width(large_most / small_most) - 1;
constexpr std::size_t blocks = small_most / small_step * blocks_of_a_size + large_sizes;

// The values that glibc's adaptive thresholds reach once a program has freed large blocks.
constexpr int mmap_threshold_bytes = 32 << 20;
constexpr int trim_threshold_bytes = 64 << 20;

// A large float32, from 2^85 to 2^86, or NaN. As the upper half of a float64 it gives one above
// 1e200, or NaN.
constexpr std::uint32_t spoiling(std::uint64_t random) {
  const auto bits = static_cast<std::uint32_t>(random);
  const bool nan = (random >> 32 & 1) != 0;
  return nan ? (bits & 0x8007ffffU) | 0x7ff80000U : (bits & 0x807fffffU) | 0x6a000000U;
}

using Pattern = std::array<std::uint32_t, 1024>;

Pattern pattern_of(std::uint64_t key) {
  CipherStream random(key);
  Pattern pattern;
  for (std::uint32_t& word : pattern) word = spoiling(random());
  return pattern;
}

void fill(std::byte* memory, std::size_t bytes, const Pattern& pattern) {
  while (bytes > 0) {
    const std::size_t part = std::min(bytes, sizeof pattern);
    std::memcpy(memory, pattern.data(), part);
    memory += part;
    bytes -= part;
  }
}

// Makes the compiler believe that the writes are read, so that it keeps them.
void keep_writes(void* memory) {
  asm volatile("" : : "r"(memory) : "memory");
}

}  // namespace

void keep_freed_heap() {
  mallopt(M_MMAP_THRESHOLD, mmap_threshold_bytes);
  mallopt(M_TRIM_THRESHOLD, trim_threshold_bytes);
}

void fill_free_heap(std::uint64_t key) {
  const Pattern pattern = pattern_of(key);
  std::array<void*, blocks> taken{};
  std::size_t count = 0;
  const auto take = [&](std::size_t bytes) {
    void* block = std::malloc(bytes);
    if (block == nullptr) return;  // a kernel may have left little memory
    fill(static_cast<std::byte*>(block), bytes, pattern);
    keep_writes(block);
    taken[count++] = block;
  };
  for (std::size_t bytes = small_step; bytes <= small_most; bytes += small_step) {
    for (std::size_t i = 0; i < blocks_of_a_size; ++i) take(bytes);
  }
  for (std::size_t bytes = 2 * small_most; bytes <= large_most; bytes *= 2) take(bytes);
  for (std::size_t i = 0; i < count; ++i) std::free(taken[i]);
}

[[gnu::noinline]] void fill_stack(std::uint64_t key) {
  std::array<std::byte, stack_bytes> below;
  // Only three words are computed, since this runs within the time of a batch.
  Pattern pattern;
  CipherStream random(key);
  const std::uint32_t words[] = {spoiling(random()), spoiling(random()),
                                 spoiling(random() | std::uint64_t{1} << 32)};
  for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = words[i % std::size(words)];
  fill(below.data(), below.size(), pattern);
  keep_writes(below.data());
}

}  // namespace robust_kbench
