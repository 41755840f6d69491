#include "core/speedup.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TimingRecord timing(const std::string& subject, double us) {
  return {.subject = subject, .median_us = us, .samples_us = {{us, us}, {us, us}, {us, us}}};
}

ConfigTimingRecord config(const std::string& name, double kernel_us,
                          const std::vector<TimingRecord>& baselines) {
  ConfigTimingRecord config{.config = name, .subjects = {timing("kernel", kernel_us)}};
  for (const TimingRecord& baseline : baselines) {
    config.subjects.push_back(baseline);
    config.speedups.push_back(speedup(config.subjects.front(), baseline, same_within(Device::cpu)));
  }
  return config;
}

TEST(Speedup, IsBaselineOverKernel) {
  const SpeedupRecord found = speedup(timing("kernel", 10), timing("eager", 25), 0.02);
  EXPECT_EQ(found.against, "eager");
  EXPECT_DOUBLE_EQ(found.ratio, 2.5);
  EXPECT_NEAR(found.ci_low, 2.5, 1e-12);
  EXPECT_NEAR(found.ci_high, 2.5, 1e-12);
  EXPECT_EQ(found.call, RatioCall::faster);
}

TEST(Speedup, FollowsAKernelsRaisedTimes) {
  ConfigTimingRecord raised = config("a", 10, {timing("eager", 40)});
  raise_kernel_times(raised, 10, 0.02);
  const TimingRecord& kernel = raised.subjects.front();
  EXPECT_DOUBLE_EQ(kernel.median_us, 20);
  EXPECT_EQ(kernel.samples_us, timing("kernel", 20).samples_us);
  EXPECT_EQ(kernel.understated_us, std::vector<double>(3, 10));
  EXPECT_DOUBLE_EQ(raised.speedups.front().ratio, 2);
  EXPECT_NEAR(mean_speedups({raised}, 0.02).front().ratio, 2, 1e-12);
}

TEST(Speedup, IsToldInEnglish) {
  const auto told = [](RatioCall call) { return in_words({.against = "eager", .call = call}); };
  EXPECT_EQ(told(RatioCall::faster), "faster than eager");
  EXPECT_EQ(told(RatioCall::slower), "slower than eager");
  EXPECT_EQ(told(RatioCall::same), "as fast as eager");
  EXPECT_EQ(told(RatioCall::ambiguous), "not told apart from eager");
}

EstimateRecord replay_of(const std::string& subject, double us) {
  return {.subject = subject, .estimator = std::string(replay_estimator), .time_us = us};
}

TEST(ReplayedRatios, AreThoseOfTheEstimatesOfReplays) {
  ConfigTimingRecord replayed =
      config("a", 10, {timing("eager", 60), timing("compile", 20), timing("graph", 20)});
  replayed.estimates = {replay_of("kernel", 8),
                        {.subject = "eager", .estimator = "cupti", .time_us = 99},
                        replay_of("eager", 24),
                        replay_of("compile", 0)};
  add_replayed_ratios(replayed);
  EXPECT_EQ(replayed.speedups.at(0).replayed, 3.0);
  EXPECT_EQ(replayed.speedups.at(1).replayed, std::nullopt);
  EXPECT_EQ(replayed.speedups.at(2).replayed, std::nullopt);
  replayed.estimates.erase(replayed.estimates.begin());
  replayed.speedups.at(0).replayed = std::nullopt;
  add_replayed_ratios(replayed);
  EXPECT_EQ(replayed.speedups.at(0).replayed, std::nullopt);
}

TEST(MeanSpeedups, HaveARatioByReplaysWhereEachConfigHasOne) {
  std::vector<ConfigTimingRecord> configs = {config("a", 10, {timing("eager", 20)}),
                                             config("b", 10, {timing("eager", 80)})};
  configs[0].speedups[0].replayed = 2;
  EXPECT_EQ(mean_speedups(configs, 0.02).at(0).replayed, std::nullopt);
  configs[1].speedups[0].replayed = 8;
  EXPECT_NEAR(mean_speedups(configs, 0.02).at(0).replayed.value_or(0), 4, 1e-12);
}

TEST(MeanSpeedups, AreGeometricMeansOverTheConfigsOfEachBaseline) {
  const auto means = mean_speedups({config("a", 10, {timing("eager", 20)}),
                                    config("b", 10, {timing("eager", 80), timing("compile", 5)})},
                                   0.02);
  ASSERT_EQ(means.size(), 2U);
  EXPECT_EQ(means[0].against, "eager");
  EXPECT_NEAR(means[0].ratio, 4, 1e-12);
  EXPECT_NEAR(means[0].ci_low, 4, 1e-12);
  EXPECT_EQ(means[0].call, RatioCall::faster);
  EXPECT_EQ(means[1].against, "compile");
  EXPECT_NEAR(means[1].ratio, 0.5, 1e-12);
  EXPECT_EQ(means[1].call, RatioCall::slower);
}

Interval interval(double low, double high) {
  return {low, high};
}

TEST(DoubtOf, IsEmptyForANarrowIntervalFarFromOne) {
  for (const char* disturbance : {"", "the machine was busy"}) {
    EXPECT_EQ(doubt_of(interval(7, 10), disturbance), "");
    EXPECT_EQ(doubt_of(interval(0.25, 0.35), disturbance), "");
  }
}

TEST(DoubtOf, IsEmptyForARatioThatNoLoadCauses) {
  EXPECT_EQ(doubt_of(interval(1.2e-5, 9e-5), "the machine was busy"), "");
  EXPECT_EQ(doubt_of(interval(200, 900), "the machine was busy"), "");
}

// 0.13..0.21 spans a factor of 1.6, and its nearer end is 4.8 away from 1.
TEST(DoubtOf, IsEmptyForAWiderIntervalVeryFarFromOne) {
  for (const Interval& apart : {interval(0.13, 0.21), interval(4.8, 7.7), interval(9, 26)}) {
    EXPECT_EQ(doubt_of(apart, "the machine was busy"), "") << apart.low;
  }
}

TEST(DoubtOf, NamesTheDisturbanceForOtherIntervals) {
  for (const Interval& wide :
       {interval(1.05, 1.15), interval(0.98, 1.2), interval(0.01, 0.61), interval(3.96, 139.52),
        interval(2.1, 3.4), interval(0.1, 0.45), interval(9, 28)}) {
    EXPECT_EQ(doubt_of(wide, "the machine was busy"), "the machine was busy");
  }
}

TEST(DoubtOf, BlamesScatterWithoutADisturbance) {
  EXPECT_EQ(doubt_of(interval(0.01, 0.61), ""), "the times scatter too much");
  EXPECT_EQ(doubt_of(interval(3.96, 139.52), ""), "the times scatter too much");
  EXPECT_EQ(doubt_of(interval(1.05, 1.15), ""), "");
  EXPECT_EQ(doubt_of(interval(0.7, 1.4), ""), "");
  EXPECT_EQ(doubt_of(interval(0.042, 0.2), ""), "");
}

TEST(Speedup, IsAmbiguousWhereItIsDoubted) {
  const TimingRecord kernel = timing("kernel", 10);
  TimingRecord eager = timing("eager", 12);
  eager.samples_us = {{9, 9}, {12, 12}, {14, 14}};
  const SpeedupRecord found = speedup(kernel, eager, 0.02, "the machine was busy");
  EXPECT_EQ(found.call, RatioCall::ambiguous);
  EXPECT_EQ(in_words(found), "the machine was busy: not told apart from eager");
  EXPECT_EQ(speedup(kernel, timing("eager", 10), 0.02, "the machine was busy").call,
            RatioCall::same);
}

TEST(MeanSpeedups, AreDoubtedWhereAConfigWasDisturbed) {
  TimingRecord eager = timing("eager", 12);
  eager.samples_us = {{9, 9}, {12, 12}, {14, 14}};
  std::vector<ConfigTimingRecord> configs{config("a", 10, {eager}), config("b", 10, {eager})};
  configs[1].disturbance = "the machine was busy";
  EXPECT_EQ(mean_speedups(configs, 0.02).at(0).doubt, "the machine was busy");
}

TEST(RatioText, HasTwoDecimalsOrTwoSignificantFigures) {
  EXPECT_EQ(ratio_text(4), "4.00x");
  EXPECT_EQ(ratio_text(0.214), "0.21x");
  EXPECT_EQ(ratio_text(0.0043), "0.0043x");
  EXPECT_EQ(ratio_text(0.000021), "2.1e-05x");
  EXPECT_EQ(interval_text(interval(0.0112, 0.613)), "0.011..0.61");
}

TEST(MeanSpeedups, WithoutConfigsAreEmpty) {
  EXPECT_TRUE(mean_speedups({}, 0.02).empty());
}

}  // namespace
}  // namespace robust_kbench
