#include "bench/together_time.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Batches of so many calls, whose times are 1 us, 2 us, and so on.
TogetherTime counting_batches(std::size_t calls) {
  double us = 0;
  return time_batches(calls,
                      [&] { return TogetherSample{.us = us += 1, .begins_with_fill = true}; });
}

TEST(TimeBatches, TakesMoreOfFewCalls) {
  EXPECT_EQ(counting_batches(48).batches, 10);
  EXPECT_EQ(counting_batches(6).batches, 15);
  EXPECT_EQ(counting_batches(1).batches, 30);
}

TEST(TimeBatches, ReturnsTheMedianWithItsInterval) {
  const TogetherTime time = counting_batches(48);
  EXPECT_DOUBLE_EQ(time.us, 5.5);
  EXPECT_GE(time.low_us, 1);
  EXPECT_LT(time.low_us, time.us);
  EXPECT_GT(time.high_us, time.us);
  EXPECT_LE(time.high_us, 10);
  EXPECT_TRUE(time.begins_with_fill);
}

TEST(TogetherTime, MovesWithItsIntervalByAnEmptyCall) {
  TogetherTime time{.us = 2, .low_us = 1, .high_us = 4};
  time.add_empty_call(1.5);
  EXPECT_DOUBLE_EQ(time.us, 3.5);
  EXPECT_DOUBLE_EQ(time.low_us, 2.5);
  EXPECT_DOUBLE_EQ(time.high_us, 5.5);
}

TEST(EnoughCalls, AreFewWhereCallsAreLong) {
  EXPECT_EQ(enough_calls(48, 5), 48U);
  EXPECT_EQ(enough_calls(48, 0), 48U) << "an unknown time";
  EXPECT_EQ(enough_calls(48, 500), 10U);
  EXPECT_EQ(enough_calls(48, 1e6), 1U);
}

TEST(TogetherEstimate, TellsTheIntervalAndTheBatches) {
  const EstimateRecord record = together_estimate(
      "eager", {.us = 17.4, .low_us = 17, .high_us = 18, .batches = 10, .calls = 48}, "; and more");
  EXPECT_EQ(record.estimator, "replay");
  EXPECT_EQ(record.calls, 480);
  EXPECT_EQ(record.note, "17.00 to 18.00 us in 10 batches of 48; and more");
}

}  // namespace
}  // namespace robust_kbench
