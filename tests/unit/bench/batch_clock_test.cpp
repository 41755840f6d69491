#include "bench/batch_clock.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Optional;

// The batch has 100 calls that took 10 ms, and 100 us of messages.
BatchClock batch_claiming(std::uint64_t ns_per_call) {
  return {.wall_ns = 10'100'000,
          .noop_ns = 100'000,
          .claimed_ns = std::vector<std::uint64_t>(100, ns_per_call)};
}

TEST(BatchClock, SamplesComeFromTheBrokersClockAlone) {
  EXPECT_DOUBLE_EQ(batch_claiming(100'000).sample_us(), 100);
  EXPECT_DOUBLE_EQ(batch_claiming(1).sample_us(), 100);
}

BatchClock batch_of_a_gpu() {
  BatchClock clock = batch_claiming(10'000);
  clock.on_gpu = true;
  return clock;
}

TEST(BatchClock, SamplesOfAGpuAreOfTheMiddleHalfOfTheSpans) {
  BatchClock clock = batch_of_a_gpu();
  std::fill_n(clock.claimed_ns.begin(), 25, 500'000);
  EXPECT_DOUBLE_EQ(clock.sample_us(), 10);
  std::fill_n(clock.claimed_ns.begin(), 26, 500'000);
  EXPECT_GT(clock.sample_us(), 10);
}

TEST(BatchClock, TheMeanIsOfAllCalls) {
  BatchClock clock = batch_of_a_gpu();
  EXPECT_DOUBLE_EQ(clock.mean_us(), 10);
  clock.claimed_ns.front() = 110'000;
  EXPECT_DOUBLE_EQ(clock.mean_us(), 11) << "one call that does others' work";
}

TEST(BatchClock, WhatRanBeforeTheClockDidCounts) {
  BatchClock clock = batch_claiming(100'000);
  clock.ran_before_ns = 1'000'000;
  EXPECT_DOUBLE_EQ(clock.sample_us(), 110);
  clock.on_gpu = true;
  EXPECT_DOUBLE_EQ(clock.discrepancy_us(), 10);
}

TEST(BatchClock, NoopNeverMakesATimeNegative) {
  const BatchClock clock{.wall_ns = 10, .noop_ns = 20, .claimed_ns = {1}};
  EXPECT_EQ(clock.net_ns(), 0U);
  EXPECT_EQ(clock.sample_us(), 1e-3) << "an interval of nothing would be undefined";
}

TEST(Contradiction, ClaimsMayDifferByTheAgreement) {
  EXPECT_EQ(contradiction(batch_claiming(100'000), 0.05, 5ms), std::nullopt);
  EXPECT_EQ(contradiction(batch_claiming(96'000), 0.05, 5ms), std::nullopt);
  EXPECT_EQ(contradiction(batch_claiming(104'000), 0.05, 5ms), std::nullopt);
  // A span includes its part of the time of a batch that does nothing.
  EXPECT_EQ(contradiction(batch_claiming(105'500), 0.05, 5ms), std::nullopt);
}

TEST(Contradiction, ClaimsBeyondItAreNamed) {
  EXPECT_THAT(contradiction(batch_claiming(94'000), 0.05, 5ms),
              Optional(HasSubstr("100 calls claim 9400.0 us together, but took 10000.0 us")));
  EXPECT_NE(contradiction(batch_claiming(107'000), 0.05, 5ms), std::nullopt);
}

TEST(Contradiction, NoCallTakesLongerThanItsBatch) {
  BatchClock clock = batch_claiming(0);
  clock.claimed_ns[7] = 10'200'000;
  EXPECT_THAT(contradiction(clock, 0.05, 5ms), Optional(HasSubstr("call 7 of 100 claims")));
}

TEST(Contradiction, ShortBatchesGetTheLeewayOfTheLeast) {
  const BatchClock clock{.wall_ns = 400'000, .noop_ns = 0, .claimed_ns = {200'000}};
  EXPECT_EQ(contradiction(clock, 0.05, 5ms), std::nullopt);
  EXPECT_NE(contradiction(clock, 0.05, 1ms), std::nullopt);
}

TEST(CallsFor, ReachesTheSpanWithinTheMost) {
  EXPECT_GE(calls_for(5ms, 10, 1'000'000, 4096), 50U);
  EXPECT_LE(calls_for(5ms, 10, 1'000'000, 4096), 70U);
  EXPECT_EQ(calls_for(5ms, 10, 1'000'000, 20), 20U);
  EXPECT_EQ(calls_for(5ms, 1, 1'000'000'000, 4096), 1U);
  EXPECT_EQ(calls_for(5ms, 8, 0, 4096), 4096U);
}

}  // namespace
}  // namespace robust_kbench
