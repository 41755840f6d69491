#include "baseline/arena_allocator.hpp"

#include <vector>

#include "core/error.hpp"

#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::size_t arena_bytes = std::size_t{4} << 20;

// All tests of the program share one arena, since the allocator replaces torch's for good.
Arena& the_arena() {
  static Arena arena = Arena::create(arena_bytes);
  return arena;
}

// One batch of a baseline's worker, as the broker and the worker's loop prepare it.
class ArenaAllocatorTest : public ::testing::Test {
 protected:
  ArenaAllocatorTest() : m_allocator(ArenaAllocator::install(the_arena())) { begin(); }
  ~ArenaAllocatorTest() override { m_allocator.end_batch(); }

  void begin() {
    Arena& arena = the_arena();
    const std::uint64_t begin = arena.inputs_begin();
    arena.header() = {.size = arena.size(),
                      .kernel_begin = begin,
                      .poisoned_until = begin,
                      .poison = 0,
                      .cursor = begin,
                      .allocation_count = 0};
    m_allocator.begin_batch();
  }

  static bool in_arena(const at::Tensor& tensor) {
    const auto* data = static_cast<const std::byte*>(tensor.const_data_ptr());
    return data >= the_arena().data() && data < the_arena().data() + the_arena().size();
  }

  ArenaAllocator& m_allocator;
};

TEST_F(ArenaAllocatorTest, TensorsOfABatchLieInTheArena) {
  const at::Tensor tensor = at::empty({100});
  EXPECT_TRUE(in_arena(tensor));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr()) % arena_alignment, 0U);
}

TEST_F(ArenaAllocatorTest, TensorsOutsideOfABatchDoNot) {
  m_allocator.end_batch();
  EXPECT_FALSE(in_arena(at::empty({100})));
}

TEST_F(ArenaAllocatorTest, WhatIsFreedServesTheNextOfItsSize) {
  const void* first = at::empty({100}).const_data_ptr();
  EXPECT_EQ(at::empty({100}).const_data_ptr(), first);
  EXPECT_NE(at::empty({1000}).const_data_ptr(), first);
}

TEST_F(ArenaAllocatorTest, ALongBatchOfTemporariesNeverRunsOut) {
  for (int i = 0; i < 100'000; ++i) (void)at::empty({1000});
  EXPECT_TRUE(in_arena(at::empty({1000})));
}

TEST_F(ArenaAllocatorTest, TheHeapServesWhenTheArenaIsFull) {
  std::vector<at::Tensor> tensors;
  for (int i = 0; i < 10; ++i) tensors.push_back(at::empty({1 << 17}));  // 512 KiB each
  EXPECT_TRUE(in_arena(tensors.front()));
  EXPECT_FALSE(in_arena(tensors.back()));
}

TEST_F(ArenaAllocatorTest, NothingMayOutliveItsBatch) {
  at::Tensor kept = at::empty({100});
  EXPECT_THROW(m_allocator.end_batch(), HarnessError);
  kept.reset();
  begin();
}

}  // namespace
}  // namespace robust_kbench
