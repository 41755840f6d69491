#include "check/glance.hpp"

#include "filled_arena.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class Glance : public testing::Test {
 protected:
  [[nodiscard]] bool sees_nothing() const {
    return untouched(m_filled.arena, m_filled.placement, m_image, m_filled.given(),
                     m_filled.poison);
  }

  FilledArena m_filled;
  at::Tensor m_image = image_of_inputs(m_filled.arena, m_filled.placement);
};

TEST_F(Glance, SeesNothingWhereAllIsWell) {
  const std::uint64_t y = m_filled.allocate(101);
  for (std::uint64_t i = 0; i < 101; ++i) m_filled.write(y + i);
  EXPECT_TRUE(sees_nothing());
}

TEST_F(Glance, SeesAChangedInput) {
  m_filled.write(m_filled.x().offset + 3);
  EXPECT_FALSE(sees_nothing());
}

TEST_F(Glance, SeesAWriteBetweenInputs) {
  m_filled.write(m_filled.x().end());
  EXPECT_FALSE(sees_nothing());
}

TEST_F(Glance, SeesTheFirstByteBehindAnAllocation) {
  const std::uint64_t y = m_filled.allocate(101);
  m_filled.write(y + 101);
  EXPECT_FALSE(sees_nothing());
}

TEST_F(Glance, SeesTheLastByteBeforeAnAllocation) {
  m_filled.allocate(64);
  const std::uint64_t y = m_filled.allocate(64);
  m_filled.write(y - 1);
  EXPECT_FALSE(sees_nothing());
}

TEST_F(Glance, SeesTheEndOfALongRange) {
  m_filled.fill(1 << 20);
  m_filled.allocate(64);
  m_filled.write(m_filled.arena.header().poisoned_until - 1);
  EXPECT_FALSE(sees_nothing());
}

TEST_F(Glance, SeesAWriteInNoGivenMemory) {
  m_filled.write(m_filled.placement.kernel_begin);
  EXPECT_FALSE(sees_nothing());
}

}  // namespace
}  // namespace robust_kbench
