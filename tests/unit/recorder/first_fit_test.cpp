#include "recorder/first_fit.hpp"

#include <gtest/gtest.h>

namespace robust_kbench::recorder {
namespace {

TEST(FirstFit, HandsOutPartsThatDoNotOverlap) {
  FirstFit parts(4096);
  EXPECT_EQ(parts.take(1), 0U);
  EXPECT_EQ(parts.take(513), 512U);
  EXPECT_EQ(parts.take(512), 1536U);
  EXPECT_EQ(parts.most(), 2048U);
}

TEST(FirstFit, UsesAPartAgainOnlyWhenItHasSettled) {
  FirstFit parts(4096);
  const auto first = parts.take(512);
  ASSERT_TRUE(parts.give(*first));
  EXPECT_EQ(parts.take(512), 512U);
  parts.settle();
  EXPECT_EQ(parts.take(512), first);
}

TEST(FirstFit, FillsTheFirstGapThatIsLargeEnough) {
  FirstFit parts(8192);
  for (int i = 0; i < 4; ++i) parts.take(1024);
  parts.give(0);
  parts.give(1024);
  parts.settle();
  EXPECT_EQ(parts.take(2048), 0U);
}

TEST(FirstFit, RefusesWhatDoesNotFit) {
  FirstFit parts(1024);
  EXPECT_EQ(parts.take(1025), std::nullopt);
  EXPECT_EQ(parts.take(~std::uint64_t{0}), std::nullopt);
  EXPECT_EQ(parts.take(1024), 0U);
  EXPECT_EQ(parts.take(1), std::nullopt);
  EXPECT_FALSE(parts.give(512));
}

}  // namespace
}  // namespace robust_kbench::recorder
