#include "evolve/stop_rule.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

ConfigTimingRecord raced_config(const std::string& name, double high_us, double roofline_us) {
  ConfigTimingRecord record{.config = name, .subjects = {{.subject = "kernel"}}};
  record.subjects.front().ci_high_us = high_us;
  if (roofline_us > 0) record.roofline = RooflineRecord{.us = roofline_us};
  return record;
}

TEST(StopRule, SaysThatAKernelTakesTheLeastTimeOnEachConfig) {
  EXPECT_TRUE(at_least_time({raced_config("a", 10.4, 10), raced_config("b", 20.9, 20)}, {}));
  EXPECT_FALSE(at_least_time({raced_config("a", 10.4, 10), raced_config("b", 21.1, 20)}, {}));
  EXPECT_FALSE(at_least_time({raced_config("a", 10.4, 10), raced_config("b", 1, 0)}, {}));
  EXPECT_FALSE(at_least_time({}, {}));
}

TEST(StopRule, TakesAnEmptyKernelWhereItTakesLongerThanTheRoofline) {
  EXPECT_TRUE(at_least_time({raced_config("a", 3.1, 0.5)}, {{"a", 3}}));
  EXPECT_FALSE(at_least_time({raced_config("a", 3.2, 0.5)}, {{"a", 3}}));
  EXPECT_TRUE(at_least_time({raced_config("a", 10.4, 10)}, {{"a", 3}}));
  EXPECT_FALSE(at_least_time({raced_config("a", 3.1, 0)}, {{"b", 3}}));
}

TEST(StopRule, ReadsTheEmptyKernelsTimesOfARace) {
  ConfigTimingRecord raced = raced_config("a", 10, 0);
  raced.subjects.push_back({.subject = "empty", .median_us = 3});
  const std::map<std::string, double> expected{{"a", 3}};
  EXPECT_EQ(empty_times_us({raced, raced_config("b", 10, 0)}), expected);
}

}  // namespace
}  // namespace robust_kbench
