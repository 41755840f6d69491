#include "bench/slow_kernel.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::size_t min_samples = 2;

TEST(PaceOf, IsUsualForQuickCalls) {
  EXPECT_EQ(pace_of(Seconds{0.19}, Seconds{1e-5}, min_samples), Pace::usual);
}

TEST(PaceOf, IsUsualWhereOthersTakeLongAsWell) {
  EXPECT_EQ(pace_of(Seconds{5}, Seconds{0.6}, min_samples), Pace::usual);
}

TEST(PaceOf, TimesSlowCallsWithFew) {
  EXPECT_EQ(pace_of(Seconds{0.3}, Seconds{1e-5}, min_samples), Pace::few_calls);
  EXPECT_EQ(pace_of(Seconds{1.6}, Seconds{1e-5}, min_samples), Pace::few_calls);
}

TEST(PaceOf, GivesUpWhereFewWouldTakeTooLong) {
  EXPECT_EQ(pace_of(Seconds{1.7}, Seconds{1e-5}, min_samples), Pace::too_slow);
  EXPECT_EQ(pace_of(Seconds{1.6}, Seconds{1e-5}, 2 * min_samples), Pace::too_slow);
}

}  // namespace
}  // namespace robust_kbench
