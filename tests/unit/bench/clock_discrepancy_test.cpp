#include "bench/clock_discrepancy.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The batch has 100 calls that claim 10 us each, leave 60 us each to the harness, and hide `us`
// each.
BatchClock batch_hiding(double us) {
  return {.wall_ns = 7'000'000 + static_cast<std::uint64_t>(100'000 * us),
          .noop_ns = 6'000'000,
          .max_noop_ns = 6'900'000,
          .claimed_ns = std::vector<std::uint64_t>(100, 10'000),
          .on_gpu = true};
}

ClockDiscrepancy after(std::initializer_list<double> hidden) {
  ClockDiscrepancy discrepancy;
  for (const double us : hidden) discrepancy.add(0, batch_hiding(us));
  return discrepancy;
}

TEST(ClockDiscrepancy, IsTheMedianOverBatches) {
  const ClockDiscrepancy discrepancy = after({1, 50, 2});
  EXPECT_EQ(discrepancy.batches(), 3U);
  EXPECT_DOUBLE_EQ(discrepancy.discrepancy_us(), 2);
  EXPECT_DOUBLE_EQ(discrepancy.span_us(), 10);
  EXPECT_DOUBLE_EQ(discrepancy.margin_us(), 9);
}

double hidden(const ClockDiscrepancy& subject, const ClockDiscrepancy& baseline) {
  return subject.unreported_us(expected_discrepancy(std::vector{&baseline}), 0.05);
}

TEST(ClockDiscrepancy, IsUsualUpToTheBaselines) {
  EXPECT_EQ(hidden(after({7}), after({5})), 0);
  EXPECT_DOUBLE_EQ(hidden(after({8}), after({5})), 3);
  const ClockDiscrepancy one = after({5});
  const ClockDiscrepancy other = after({1});
  EXPECT_DOUBLE_EQ(after({8}).unreported_us(expected_discrepancy(std::vector{&one, &other}), 0.05),
                   3);
  EXPECT_DOUBLE_EQ(after({8}).unreported_us(ExpectedDiscrepancy{}, 0.05), 8);
}

// A batch's own cost is known within some 100 us only.
TEST(ClockDiscrepancy, IsUsualForAWholeBatchHoweverFewItsCalls) {
  const ClockDiscrepancy baseline = after({2});  // 200 us a batch
  const auto of_ten_calls = [](std::uint64_t hidden_us) {
    BatchClock clock = batch_hiding(0);
    clock.claimed_ns = std::vector<std::uint64_t>(10, 100'000);
    clock.wall_ns = 7'000'000 + 1000 * hidden_us;
    ClockDiscrepancy discrepancy;
    discrepancy.add(0, clock);
    return discrepancy;
  };
  EXPECT_EQ(hidden(of_ten_calls(200), baseline), 0);
  EXPECT_DOUBLE_EQ(hidden(of_ten_calls(300), baseline), 10) << "of 30 us a call, 20 are usual";
}

TEST(ClockDiscrepancy, WithoutABaselineIsUsualUpToTheMargin) {
  const auto nobody = expected_discrepancy(std::vector<const ClockDiscrepancy*>{});
  EXPECT_EQ(after({8}).unreported_us(nobody, 0.05), 0);
  EXPECT_DOUBLE_EQ(after({20}).unreported_us(nobody, 0.05), 11);
  EXPECT_DOUBLE_EQ(after({8}).min_us(0, nobody, 0.05), 10);
  EXPECT_DOUBLE_EQ(after({20}).min_us(0, nobody, 0.05), 21);
}

TEST(ClockDiscrepancy, CountsInTheBatchThatShowsLeast) {
  ClockDiscrepancy discrepancy = after({8, 4, 6});
  EXPECT_DOUBLE_EQ(discrepancy.min_us(0, ExpectedDiscrepancy{.us = 1, .at_most_us = 9}, 0.05), 13);
  EXPECT_DOUBLE_EQ(discrepancy.min_us(0, ExpectedDiscrepancy{.us = 2, .at_most_us = 9}, 0.05), 10)
      << "2.5 us are within what the clocks may disagree by";
  discrepancy.add(1, batch_hiding(0));
  EXPECT_DOUBLE_EQ(discrepancy.min_us(0, ExpectedDiscrepancy{.us = 1, .at_most_us = 9}, 0.05), 13)
      << "another worker's batch says nothing of this one's";
}

TEST(ClockDiscrepancy, OfABaselineBelowZeroCountsAsZero) {
  EXPECT_EQ(hidden(after({2}), after({-10})), 0);
  EXPECT_DOUBLE_EQ(hidden(after({5}), after({-10})), 5);
}

// Single batches out of ten differ by more than the subjects' medians do. Time that is hidden in
// every one of many batches is found all the same.
TEST(ClockDiscrepancy, IsHiddenOnlyWhereThatIsCertain) {
  const ClockDiscrepancy few = after({40, 41, 42, 43, 44, 45, 90, 91, 92, 93});
  const ClockDiscrepancy usual = after({20, 21, 22, 23, 24, 25, 60, 61, 62, 63});
  EXPECT_EQ(hidden(few, usual), 0);
  ClockDiscrepancy many;
  ClockDiscrepancy many_usual;
  for (int i = 0; i < 100; ++i) {
    many.add(0, batch_hiding(60 + i % 10));
    many_usual.add(0, batch_hiding(20 + i % 10));
  }
  EXPECT_DOUBLE_EQ(hidden(many, many_usual), 40);
}

// On a noisy machine the batch that leaves a dirty cache may be quicker than the other one. The
// subject is not accused for that.
TEST(ClockDiscrepancy, LeavesNoLessThanNothingToTheHarness) {
  BatchClock clock = batch_hiding(0);
  clock.max_noop_ns = clock.noop_ns - 1000;
  ClockDiscrepancy discrepancy;
  discrepancy.add(0, clock);
  EXPECT_EQ(discrepancy.margin_us(), 0);
}

}  // namespace
}  // namespace robust_kbench
