#include "check/detect/out_of_bounds_write.hpp"

#include "filled_arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class OutOfBoundsWrite : public testing::Test {
 protected:
  [[nodiscard]] std::string complaint() const {
    const auto finding = out_of_bounds_write(m_filled.evidence());
    if (!finding) return "";
    EXPECT_EQ(finding->cheat_class, CheatClass::out_of_bounds_write);
    return finding->reason;
  }

  FilledArena m_filled;
};

TEST_F(OutOfBoundsWrite, IsNotFoundWhereAllIsWell) {
  const std::uint64_t y = m_filled.allocate(100);
  for (std::uint64_t i = 0; i < 100; ++i) m_filled.write(y + i);
  EXPECT_EQ(complaint(), "");
}

TEST_F(OutOfBoundsWrite, MayLiePastAnAllocation) {
  const std::uint64_t y = m_filled.allocate(101);
  m_filled.write(y + 101);
  EXPECT_THAT(complaint(), HasSubstr("1 bytes past the end of a tensor of 101 bytes"));
}

TEST_F(OutOfBoundsWrite, MayLieBeforeAnAllocation) {
  m_filled.allocate(64);
  const std::uint64_t y = m_filled.allocate(64);
  m_filled.write(y - 8);
  EXPECT_THAT(complaint(), HasSubstr("8 bytes before a tensor of 64 bytes"));
}

TEST_F(OutOfBoundsWrite, MayLieFarPastTheLastAllocation) {
  const std::uint64_t y = m_filled.allocate(64);
  m_filled.write(y + 64 + 50'000);
  EXPECT_THAT(complaint(), HasSubstr("50001 bytes past the end of a tensor of 64 bytes"));
}

TEST_F(OutOfBoundsWrite, MayLieBetweenInputs) {
  m_filled.write(m_filled.x().end());
  EXPECT_THAT(complaint(), HasSubstr("1 bytes past the end of input 'x' of 80 bytes"));
}

TEST_F(OutOfBoundsWrite, MayLieBehindALargeAllocation) {
  const std::uint64_t y = m_filled.allocate(1 << 20);
  m_filled.write(y + (1 << 20) + 1000);
  EXPECT_THAT(complaint(), HasSubstr("1001 bytes past the end of a tensor of 1048576 bytes"));
}

}  // namespace
}  // namespace robust_kbench
