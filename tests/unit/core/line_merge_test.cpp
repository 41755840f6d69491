#include "core/line_merge.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr const char* base = "a\nb\nc\nd\n";

TEST(LineMerge, TakesTheChangesOfBoth) {
  EXPECT_EQ(merged(base, "a\nB\nc\nd\n", "a\nb\nc\nD\n"), "a\nB\nc\nD\n");
  EXPECT_EQ(merged(base, "a\nc\nd\n", "a\nb\nc\nx\nd\ny\n"), "a\nc\nx\nd\ny\n");
  EXPECT_EQ(merged(base, base, "x\n"), "x\n");
  EXPECT_EQ(merged(base, "a\nb\nc\nd", base), "a\nb\nc\nd");
}

TEST(LineMerge, TakesChangesOfNeighbouringLines) {
  EXPECT_EQ(merged(base, "a\nB\nc\nd\n", "a\nb\nC\nd\n"), "a\nB\nC\nd\n");
  EXPECT_EQ(merged(base, "a\nB\nc\nd\n", "a\nx\nb\nc\nd\n"), "a\nx\nB\nc\nd\n");
}

TEST(LineMerge, TakesAnEqualChangeOfBothOnce) {
  EXPECT_EQ(merged(base, "a\nB\nc\nd\n", "a\nB\nc\nD\n"), "a\nB\nc\nD\n");
}

TEST(LineMerge, GivesNothingWhereChangesConflict) {
  EXPECT_EQ(merged(base, "a\nB\nc\nd\n", "a\nX\nc\nd\n"), std::nullopt);
  EXPECT_EQ(merged(base, "a\nx\nb\nc\nd\n", "a\ny\nb\nc\nd\n"), std::nullopt);
  EXPECT_EQ(merged(base, "a\nd\n", "a\nb\nC\nd\n"), std::nullopt);
}

}  // namespace
}  // namespace robust_kbench
