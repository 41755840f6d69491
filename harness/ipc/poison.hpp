#pragma once

#include <cstddef>
#include <cstdint>

namespace robust_kbench {

// A signalling NaN as float32, which arithmetic never returns. So a kernel that calculates with
// poison it read, and writes the result, changes the poison there. As float64 and int64 it is a
// huge number. The payload is random. Both halves are equal, so that a GPU can fill memory with it.
constexpr std::uint64_t poison_word(std::uint64_t key) {
  const std::uint64_t payload = key & 0x003fffffULL;
  return 0x7f8000007f800000ULL | payload << 32 | payload | 0x0000000100000001ULL;
}

// Counts the bytes at `memory` before the first that is not poisoned. Their offsets are [begin,
// end). Every 8-byte word at an offset that is a multiple of 8 should be `poison`.
std::size_t poisoned_bytes(const std::byte* memory, std::size_t begin, std::size_t end,
                           std::uint64_t poison);

}  // namespace robust_kbench
