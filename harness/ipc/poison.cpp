#include "ipc/poison.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace robust_kbench {
namespace {

// So many words are compared without a branch, in vector registers.
using Block = std::array<std::uint64_t, 16>;

bool is_poisoned(const std::byte* memory, std::uint64_t poison) {
  Block words;
  std::memcpy(&words, memory, sizeof(words));
  std::uint64_t different = 0;
  for (const std::uint64_t word : words) different |= word ^ poison;
  return different == 0;
}

}  // namespace

std::size_t poisoned_bytes(const std::byte* memory, std::size_t begin, std::size_t end,
                           std::uint64_t poison) {
  const std::byte* const arena = memory - begin;
  const std::size_t start = begin;
  const auto expected = [&](std::size_t offset) {
    return static_cast<std::byte>(poison >> offset % 8 * 8);
  };
  while (begin < end) {
    if (begin % 8 == 0) {
      while (end - begin >= sizeof(Block) && is_poisoned(arena + begin, poison)) {
        begin += sizeof(Block);
      }
      std::uint64_t word = poison;
      for (; end - begin >= 8; begin += 8) {
        std::memcpy(&word, arena + begin, 8);
        if (word != poison) break;
      }
    }
    const std::size_t stop = std::min(end, begin / 8 * 8 + 8);
    for (; begin < stop; ++begin) {
      if (arena[begin] != expected(begin)) return begin - start;
    }
  }
  return end - start;
}

}  // namespace robust_kbench
