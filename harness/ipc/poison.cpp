#include "ipc/poison.hpp"

#include <algorithm>
#include <cstring>

namespace robust_kbench {

std::size_t poisoned_bytes(const std::byte* memory, std::size_t begin, std::size_t end,
                           std::uint64_t poison) {
  const std::byte* const arena = memory - begin;
  const std::size_t start = begin;
  const auto expected = [&](std::size_t offset) {
    return static_cast<std::byte>(poison >> offset % 8 * 8);
  };
  while (begin < end) {
    std::uint64_t word = poison;
    if (begin % 8 == 0) {
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
