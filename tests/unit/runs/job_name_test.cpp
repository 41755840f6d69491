#include "runs/pilots/job_name.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(JobName, ReadsWhatItWrites) {
  const JobName name{
      .coordinator = "9c31f0aa", .number = 17, .attempt = 2, .whose = "node3-4242-51b7"};
  EXPECT_EQ(to_string(name), "9c31f0aa-00000017.2.node3-4242-51b7");
  EXPECT_EQ(parse_job_name(to_string(name)), name);
  const LeaseName lease{.holder = "node3-4242-51b7", .renewals = 12};
  EXPECT_EQ(parse_lease_name(to_string(lease)), lease);
}

TEST(JobName, TellsOtherFilesApart) {
  for (const char* other : {"", ".", "..", "a-1", "a-1.2", "a-1.2.", "a-x.1.any", "a-1.x.any",
                            "1.2.any", "a-1.2.any.new"}) {
    EXPECT_EQ(parse_job_name(other), std::nullopt) << other;
  }
  for (const char* other : {"", "a", "a.", ".1", "a.x", "a.-1"}) {
    EXPECT_EQ(parse_lease_name(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace robust_kbench
