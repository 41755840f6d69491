#include "bench/single_calls.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

const std::vector<SingleCalls> quick_eager{{.in_batch_us = 1000, .alone_us = {1000, 1000, 1000}}};

TEST(WorkedAhead, IsTheTimeThatACallTakesLongerAlone) {
  EXPECT_DOUBLE_EQ(worked_ahead_us({1000, {1600, 1600, 1700}}, quick_eager), 600);
}

TEST(WorkedAhead, IsNothingWithinTheTolerance) {
  EXPECT_DOUBLE_EQ(worked_ahead_us({1000, {1240, 1300}}, quick_eager), 0);
  EXPECT_DOUBLE_EQ(worked_ahead_us({1000, {800, 900}}, quick_eager), 0);
}

TEST(WorkedAhead, IsNothingWhereOneCallAloneIsAsQuick) {
  EXPECT_DOUBLE_EQ(worked_ahead_us({1000, {1010, 9000, 9000}}, quick_eager), 0);
}

TEST(WorkedAhead, LeavesOutWhatACallAloneCostsBaselines) {
  const std::vector<SingleCalls> woken{{.in_batch_us = 1000, .alone_us = {1500, 1600, 1900}}};
  EXPECT_DOUBLE_EQ(worked_ahead_us({1000, {1600}}, woken), 0);
  EXPECT_DOUBLE_EQ(worked_ahead_us({1000, {2000}}, woken), 500);
}

TEST(WorkedAhead, IsNothingWithoutCallsToCompareWith) {
  EXPECT_DOUBLE_EQ(worked_ahead_us({1000, {5000}}, {}), 0);
  EXPECT_DOUBLE_EQ(worked_ahead_us({1000, {}}, quick_eager), 0);
}

}  // namespace
}  // namespace robust_kbench
