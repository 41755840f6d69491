#pragma once

#include <cstddef>

namespace robust_kbench {

// Bytes [begin, end) of some memory.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

}  // namespace robust_kbench
