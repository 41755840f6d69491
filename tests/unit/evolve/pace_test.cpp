#include "evolve/pace.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Pace, CountsWhatIsDecidedFromTheFirstBeginningOn) {
  Pace pace;
  EXPECT_EQ(pace.per_minute(), std::nullopt);
  pace.read_clock(40);  // seconds that the seeds took
  pace.begin(3);
  pace.begin(4);
  pace.decide(4);
  pace.read_clock(45);
  pace.begin(5);
  pace.decide(3);
  pace.decide(5);
  pace.read_clock(70);
  EXPECT_EQ(pace.decided(), 3);
  EXPECT_EQ(pace.first_decided(), 45);
  EXPECT_DOUBLE_EQ(pace.per_minute().value(), 6);
}

TEST(Pace, TellsHowLongACandidateTakesByTheLatestOnes) {
  Pace pace;
  EXPECT_EQ(pace.candidate_seconds(12), 12);
  double now = 0;
  std::int64_t id = 0;
  const auto takes = [&](double seconds) {
    pace.begin(++id);
    pace.decide(id);
    pace.read_clock(now += seconds);
  };
  takes(100);
  EXPECT_EQ(pace.candidate_seconds(12), 100);
  for (int i = 0; i < 7; ++i) takes(4);
  EXPECT_EQ(pace.candidate_seconds(12), 4);  // one of eight took longer
  for (int i = 0; i < 8; ++i) takes(6);
  EXPECT_EQ(pace.candidate_seconds(12), 6);
}

}  // namespace
}  // namespace robust_kbench
