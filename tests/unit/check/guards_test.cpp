#include "check/guards.hpp"

#include "filled_arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class Guards : public testing::Test {
 protected:
  [[nodiscard]] std::string complaint() const {
    const auto finding =
        write_out_of_bounds(m_filled.arena, m_filled.placement, m_filled.given(), m_filled.poison);
    if (!finding) return "";
    EXPECT_EQ(finding->cheat_class, CheatClass::out_of_bounds_write);
    return finding->message;
  }

  FilledArena m_filled;
};

TEST_F(Guards, FindNothingWhereAllIsWell) {
  const std::uint64_t y = m_filled.allocate(100);
  for (std::uint64_t i = 0; i < 100; ++i) m_filled.write(y + i);
  EXPECT_FALSE(changed_input(m_filled.arena, m_filled.placement));
  EXPECT_EQ(complaint(), "");
}

TEST_F(Guards, FindAChangedInput) {
  m_filled.write(m_filled.x().offset + 7 * sizeof(float));
  const auto finding = changed_input(m_filled.arena, m_filled.placement);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->cheat_class, CheatClass::input_mutation);
  EXPECT_THAT(finding->message, HasSubstr("input 'x': element (1, 2) was"));
}

TEST_F(Guards, FindAWritePastAnAllocation) {
  const std::uint64_t y = m_filled.allocate(101);
  m_filled.write(y + 101);
  EXPECT_THAT(complaint(), HasSubstr("1 bytes past the end of a tensor of 101 bytes"));
}

TEST_F(Guards, FindAWriteBeforeAnAllocation) {
  m_filled.allocate(64);
  const std::uint64_t y = m_filled.allocate(64);
  m_filled.write(y - 8);
  EXPECT_THAT(complaint(), HasSubstr("8 bytes before a tensor of 64 bytes"));
}

TEST_F(Guards, FindAWriteFarPastTheLastAllocation) {
  const std::uint64_t y = m_filled.allocate(64);
  m_filled.write(y + 64 + 50'000);
  EXPECT_THAT(complaint(), HasSubstr("50001 bytes past the end of a tensor of 64 bytes"));
}

TEST_F(Guards, FindAWriteBetweenInputs) {
  m_filled.write(m_filled.x().end());
  EXPECT_THAT(complaint(), HasSubstr("1 bytes past the end of input 'x' of 80 bytes"));
}

TEST_F(Guards, FindAWriteBehindALargeAllocation) {
  const std::uint64_t y = m_filled.allocate(1 << 20);
  m_filled.write(y + (1 << 20) + 1000);
  EXPECT_THAT(complaint(), HasSubstr("1001 bytes past the end of a tensor of 1048576 bytes"));
}

TEST_F(Guards, TakeNothingFromALogThatContradictsItself) {
  const std::uint64_t y = m_filled.allocate(64);
  const auto logged = [&](Allocation allocation) {
    m_filled.arena.log()[0] = allocation;
    return m_filled.given();
  };
  EXPECT_FALSE(logged({y, 64}).broken);
  EXPECT_TRUE(logged({y, ~std::uint64_t{0}}).broken);
  EXPECT_TRUE(logged({y + 1, 64}).broken);
  EXPECT_TRUE(logged({m_filled.x().offset, 64}).broken);
  EXPECT_TRUE(logged({m_filled.arena.size() + 64, 0}).broken);
  EXPECT_TRUE(logged({~std::uint64_t{63}, 64}).broken);
  m_filled.arena.header().allocation_count = ~std::uint64_t{0};
  EXPECT_TRUE(m_filled.given().broken);
}

TEST_F(Guards, TakeNothingFromALogThatOverlaps) {
  const std::uint64_t y = m_filled.allocate(200);
  m_filled.allocate(64);
  m_filled.arena.log()[1] = {y + 64, 64};
  EXPECT_TRUE(m_filled.given().broken);
}

}  // namespace
}  // namespace robust_kbench
