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

TEST(Speedup, IsToldInEnglish) {
  const auto told = [](RatioCall call) { return in_words({.against = "eager", .call = call}); };
  EXPECT_EQ(told(RatioCall::faster), "faster than eager");
  EXPECT_EQ(told(RatioCall::slower), "slower than eager");
  EXPECT_EQ(told(RatioCall::same), "as fast as eager");
  EXPECT_EQ(told(RatioCall::ambiguous), "not told apart from eager");
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

TEST(MeanSpeedups, OfNothingAreNone) {
  EXPECT_TRUE(mean_speedups({}, 0.02).empty());
}

}  // namespace
}  // namespace robust_kbench
