#include "core/proportion.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Values by the formula of Wilson (1927), computed by hand.
TEST(Proportion, HasWilsonsInterval) {
  const Interval most = wilson_interval({25, 30});
  EXPECT_NEAR(most.low, 0.6644, 1e-4);
  EXPECT_NEAR(most.high, 0.9266, 1e-4);
  const Interval half = wilson_interval({5, 10});
  EXPECT_NEAR(half.low, 0.2366, 1e-4);
  EXPECT_NEAR(half.high, 0.7634, 1e-4);
}

TEST(Proportion, KeepsItsIntervalBetweenZeroAndOne) {
  EXPECT_EQ(wilson_interval({0, 20}).low, 0);
  EXPECT_NEAR(wilson_interval({0, 20}).high, 0.1611, 1e-4);
  EXPECT_EQ(wilson_interval({20, 20}).high, 1);
  EXPECT_EQ(wilson_interval({0, 0}).low, 0);
  EXPECT_EQ(wilson_interval({0, 0}).high, 1);
}

TEST(Proportion, IsTextForPeople) {
  EXPECT_EQ(to_text(Proportion{25, 30}), "0.83 (0.66..0.93), 25 of 30");
  EXPECT_EQ(to_text(Proportion{}), "-, 0 of 0");
}

}  // namespace
}  // namespace robust_kbench
