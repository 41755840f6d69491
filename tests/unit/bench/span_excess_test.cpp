#include "bench/span_excess.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// 100 calls that claim 10 us each and leave 60 us each to the harness, but for what they hide.
BatchClock batch_hiding(double us) {
  return {.wall_ns = 7'000'000 + static_cast<std::uint64_t>(100'000 * us),
          .noop_ns = 6'000'000,
          .most_noop_ns = 6'900'000,
          .claimed_ns = std::vector<std::uint64_t>(100, 10'000),
          .on_gpu = true};
}

SpanExcess after(std::initializer_list<double> hidden) {
  SpanExcess excess;
  for (const double us : hidden) excess.add(batch_hiding(us));
  return excess;
}

TEST(SpanExcess, IsTheMedianOverBatches) {
  const SpanExcess excess = after({1, 50, 2});
  EXPECT_EQ(excess.batches(), 3U);
  EXPECT_DOUBLE_EQ(excess.excess_us(), 2);
  EXPECT_DOUBLE_EQ(excess.span_us(), 10);
  EXPECT_DOUBLE_EQ(excess.slack_us(), 9);
}

TEST(SpanExcess, IsUsualUpToTheBaselines) {
  EXPECT_EQ(hidden_us(after({7}), 5, 0.05), 0);
  EXPECT_DOUBLE_EQ(hidden_us(after({8}), 5, 0.05), 3);
}

TEST(SpanExcess, OfABaselineBelowZeroIsNoReproach) {
  EXPECT_EQ(hidden_us(after({2}), -10, 0.05), 0);
  EXPECT_DOUBLE_EQ(hidden_us(after({5}), -10, 0.05), 5);
}

// On a noisy machine the batch that leaves a dirty cache may take less time than the one that does
// not; nobody is accused for that.
TEST(SpanExcess, LeavesNoLessThanNothingToTheHarness) {
  BatchClock clock = batch_hiding(0);
  clock.most_noop_ns = clock.noop_ns - 1000;
  SpanExcess excess;
  excess.add(clock);
  EXPECT_EQ(excess.slack_us(), 0);
}

}  // namespace
}  // namespace robust_kbench
