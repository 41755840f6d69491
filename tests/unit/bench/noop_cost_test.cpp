#include "bench/noop_cost.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(NoopCost, IsALineThroughTwoMeasurements) {
  const NoopCost cost = NoopCost::of(30'000, 130'000, 1001);
  EXPECT_EQ(cost.of_calls(1), 30'000U);
  EXPECT_EQ(cost.of_calls(501), 80'000U);
  EXPECT_EQ(cost.of_calls(1001), 130'000U);
}

TEST(NoopCost, NeverFallsWithTheNumberOfCalls) {
  EXPECT_EQ(NoopCost::of(30'000, 20'000, 1000).of_calls(1000), 30'000U);
}

}  // namespace
}  // namespace robust_kbench
