#include "check/allocation_log.hpp"

#include "filled_arena.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class AllocationLogTest : public testing::Test {
 protected:
  FilledArena m_filled;
};

TEST_F(AllocationLogTest, IsBrokenWhereItContradictsItself) {
  const std::uint64_t y = m_filled.allocate(64);
  const auto logged = [&](Allocation allocation) {
    m_filled.arena.log()[0] = allocation;
    return m_filled.log();
  };
  EXPECT_FALSE(logged({y, 64}).broken);
  EXPECT_TRUE(logged({y, ~std::uint64_t{0}}).broken);
  EXPECT_TRUE(logged({y + 1, 64}).broken);
  EXPECT_TRUE(logged({m_filled.x().offset, 64}).broken);
  EXPECT_TRUE(logged({m_filled.arena.size() + 64, 0}).broken);
  EXPECT_TRUE(logged({~std::uint64_t{63}, 64}).broken);
  m_filled.arena.header().allocation_count = ~std::uint64_t{0};
  EXPECT_TRUE(m_filled.log().broken);
}

TEST_F(AllocationLogTest, IsBrokenWhereAllocationsOverlap) {
  const std::uint64_t y = m_filled.allocate(200);
  m_filled.allocate(64);
  m_filled.arena.log()[1] = {y + 64, 64};
  EXPECT_TRUE(m_filled.log().broken);
}

}  // namespace
}  // namespace robust_kbench
