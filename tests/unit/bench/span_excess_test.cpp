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
  for (const double us : hidden) excess.add(0, batch_hiding(us));
  return excess;
}

TEST(SpanExcess, IsTheMedianOverBatches) {
  const SpanExcess excess = after({1, 50, 2});
  EXPECT_EQ(excess.batches(), 3U);
  EXPECT_DOUBLE_EQ(excess.excess_us(), 2);
  EXPECT_DOUBLE_EQ(excess.span_us(), 10);
  EXPECT_DOUBLE_EQ(excess.slack_us(), 9);
}

double hidden(const SpanExcess& subject, const SpanExcess& baseline) {
  return subject.hidden_us(usual_excess({&baseline}), 0.05);
}

TEST(SpanExcess, IsUsualUpToTheBaselines) {
  EXPECT_EQ(hidden(after({7}), after({5})), 0);
  EXPECT_DOUBLE_EQ(hidden(after({8}), after({5})), 3);
  const SpanExcess one = after({5});
  const SpanExcess other = after({1});
  EXPECT_DOUBLE_EQ(after({8}).hidden_us(usual_excess({&one, &other}), 0.05), 3);
  EXPECT_DOUBLE_EQ(after({8}).hidden_us(UsualExcess{}, 0.05), 8);
}

TEST(SpanExcess, OfNobodyToCompareWithIsUsualUpToTheSlack) {
  EXPECT_EQ(after({8}).hidden_us(usual_excess({}), 0.05), 0);
  EXPECT_DOUBLE_EQ(after({20}).hidden_us(usual_excess({}), 0.05), 11);
  EXPECT_DOUBLE_EQ(after({8}).least_us(0, usual_excess({}), 0.05), 10);
  EXPECT_DOUBLE_EQ(after({20}).least_us(0, usual_excess({}), 0.05), 21);
}

TEST(SpanExcess, CountsInTheBatchThatShowsLeast) {
  SpanExcess excess = after({8, 4, 6});
  EXPECT_DOUBLE_EQ(excess.least_us(0, UsualExcess{.us = 1, .at_most_us = 9}, 0.05), 13);
  EXPECT_DOUBLE_EQ(excess.least_us(0, UsualExcess{.us = 2, .at_most_us = 9}, 0.05), 10)
      << "2.5 us are within what the clocks may disagree by";
  excess.add(1, batch_hiding(0));
  EXPECT_DOUBLE_EQ(excess.least_us(0, UsualExcess{.us = 1, .at_most_us = 9}, 0.05), 13)
      << "another worker's batch says nothing of this one's";
}

TEST(SpanExcess, OfABaselineBelowZeroIsNoReproach) {
  EXPECT_EQ(hidden(after({2}), after({-10})), 0);
  EXPECT_DOUBLE_EQ(hidden(after({5}), after({-10})), 5);
}

// Ten batches of one call each differ by more than their medians do; what is hidden in every one of
// many is found all the same.
TEST(SpanExcess, IsHiddenOnlyWhereThatIsCertain) {
  const SpanExcess few = after({40, 41, 42, 43, 44, 45, 90, 91, 92, 93});
  const SpanExcess usual = after({20, 21, 22, 23, 24, 25, 60, 61, 62, 63});
  EXPECT_EQ(hidden(few, usual), 0);
  SpanExcess many;
  SpanExcess many_usual;
  for (int i = 0; i < 100; ++i) {
    many.add(0, batch_hiding(60 + i % 10));
    many_usual.add(0, batch_hiding(20 + i % 10));
  }
  EXPECT_DOUBLE_EQ(hidden(many, many_usual), 40);
}

// On a noisy machine the batch that leaves a dirty cache may take less time than the one that does
// not; nobody is accused for that.
TEST(SpanExcess, LeavesNoLessThanNothingToTheHarness) {
  BatchClock clock = batch_hiding(0);
  clock.most_noop_ns = clock.noop_ns - 1000;
  SpanExcess excess;
  excess.add(0, clock);
  EXPECT_EQ(excess.slack_us(), 0);
}

}  // namespace
}  // namespace robust_kbench
