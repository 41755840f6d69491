#include "replay/longer_time.hpp"

#include "core/speedup.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr double margin = 0.01;

TimingRecord timing(const std::string& subject, double us) {
  return {.subject = subject,
          .median_us = us,
          .ci_low_us = us,
          .ci_high_us = us,
          .samples_us = {{us, us}, {us, us}}};
}

// A kernel that takes 10 us in its own process, and eager mode that takes 40 us.
ConfigTimingRecord four_times_as_fast() {
  ConfigTimingRecord config{.config = "a", .subjects = {timing("kernel", 10), timing("eager", 40)}};
  config.speedups.push_back(speedup(config.subjects[0], config.subjects[1], margin));
  return config;
}

TogetherTime replay(double low_us, double us, double high_us) {
  return {.us = us, .low_us = low_us, .high_us = high_us};
}

TEST(LongerTime, OfAReplayCounts) {
  ConfigTimingRecord config = four_times_as_fast();
  EXPECT_TRUE(count_longer_time(config, replay(19, 20, 21), margin));
  EXPECT_DOUBLE_EQ(config.subjects.front().median_us, 20);
  EXPECT_DOUBLE_EQ(config.speedups.front().ratio, 2);
}

TEST(LongerTime, OfTheKernelsOwnProcessCounts) {
  ConfigTimingRecord config = four_times_as_fast();
  EXPECT_FALSE(count_longer_time(config, replay(7, 8, 9), margin));
  EXPECT_DOUBLE_EQ(config.subjects.front().median_us, 10);
  EXPECT_DOUBLE_EQ(config.speedups.front().ratio, 4);
}

TEST(LongerTime, IsOneThatTheIntervalProves) {
  ConfigTimingRecord config = four_times_as_fast();
  EXPECT_FALSE(count_longer_time(config, replay(10.5, 13, 20), margin));
  EXPECT_FALSE(count_longer_time(config, replay(10.7, 10.8, 10.9), margin))
      << "honest kernels differ so much";
  EXPECT_DOUBLE_EQ(config.speedups.front().ratio, 4);
}

}  // namespace
}  // namespace robust_kbench
