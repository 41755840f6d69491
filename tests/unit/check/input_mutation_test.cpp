#include "check/detect/input_mutation.hpp"

#include "filled_arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

TEST(InputMutation, IsNotFoundWhereTheKernelWroteToItsOwnMemory) {
  FilledArena filled;
  filled.write(filled.allocate(100));
  EXPECT_FALSE(input_mutation(filled.evidence()));
}

TEST(InputMutation, NamesTheElement) {
  FilledArena filled;
  filled.write(filled.x().offset + 7 * sizeof(float));
  const auto finding = input_mutation(filled.evidence());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->cheat_class, CheatClass::input_mutation);
  EXPECT_THAT(finding->reason, HasSubstr("input 'x': element (1, 2) was"));
}

}  // namespace
}  // namespace robust_kbench
