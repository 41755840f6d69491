#include "check/detect/bulk_guard_check.hpp"

#include "filled_arena.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class BulkGuardCheck : public testing::Test {
 protected:
  [[nodiscard]] bool sees_nothing() const {
    BatchEvidence evidence = m_filled.evidence();
    evidence.image_of_inputs = m_image;
    return guards_are_intact(evidence);
  }

  FilledArena m_filled;
  at::Tensor m_image = image_of_inputs(m_filled.arena, m_filled.placement);
};

TEST_F(BulkGuardCheck, SeesNothingWhereAllIsWell) {
  const std::uint64_t y = m_filled.allocate(101);
  for (std::uint64_t i = 0; i < 101; ++i) m_filled.write(y + i);
  EXPECT_TRUE(sees_nothing());
}

TEST_F(BulkGuardCheck, SeesAChangedInput) {
  m_filled.write(m_filled.x().offset + 3);
  EXPECT_FALSE(sees_nothing());
}

TEST_F(BulkGuardCheck, SeesAWriteBetweenInputs) {
  m_filled.write(m_filled.x().end());
  EXPECT_FALSE(sees_nothing());
}

TEST_F(BulkGuardCheck, SeesTheFirstByteBehindAnAllocation) {
  const std::uint64_t y = m_filled.allocate(101);
  m_filled.write(y + 101);
  EXPECT_FALSE(sees_nothing());
}

TEST_F(BulkGuardCheck, SeesTheLastByteBeforeAnAllocation) {
  m_filled.allocate(64);
  const std::uint64_t y = m_filled.allocate(64);
  m_filled.write(y - 1);
  EXPECT_FALSE(sees_nothing());
}

TEST_F(BulkGuardCheck, SeesTheEndOfALongRange) {
  m_filled.fill(1 << 20);
  m_filled.allocate(64);
  m_filled.write(m_filled.arena.header().poisoned_until - 1);
  EXPECT_FALSE(sees_nothing());
}

TEST_F(BulkGuardCheck, SeesAWriteInNoGivenMemory) {
  m_filled.write(m_filled.placement.kernel_begin);
  EXPECT_FALSE(sees_nothing());
}

}  // namespace
}  // namespace robust_kbench
