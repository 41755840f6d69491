#include "process/heap.hpp"

#include <cstddef>
#include <malloc.h>
#include <vector>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::size_t large = std::size_t{64} << 20;

TEST(Heap, KeepsFreedMemoryUntilItIsGivenBack) {
  keep_freed_memory();
  { const std::vector<char> block(large, 'x'); }
  EXPECT_GE(mallinfo2().fordblks, large);
  give_back_freed_memory();
  EXPECT_LT(mallinfo2().fordblks, large);
}

}  // namespace
}  // namespace robust_kbench
