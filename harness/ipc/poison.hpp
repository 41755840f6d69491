#pragma once

#include <cstddef>
#include <cstdint>

namespace robust_kbench {

// A signalling NaN as float32, which no arithmetic returns. So who calculates in float32 with what
// it read past an end, and writes the result past another, leaves something else there. It is a
// huge number as float64 and int64. The payload is random. Its halves are equal, so that a GPU can
// fill memory with it.
constexpr std::uint64_t poison_word(std::uint64_t key) {
  const std::uint64_t payload = key & 0x003fffffULL;
  return 0x7f8000007f800000ULL | payload << 32 | payload | 0x0000000100000001ULL;
}

// Counts the poisoned bytes at `memory` before the first that is not. The bytes have offsets
// [begin, end). The 8-byte word at every offset that is a multiple of 8 is `poison`.
std::size_t poisoned_bytes(const std::byte* memory, std::size_t begin, std::size_t end,
                           std::uint64_t poison);

}  // namespace robust_kbench
