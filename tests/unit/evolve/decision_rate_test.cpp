#include "evolve/decision_rate.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(DecisionRate, CountsWhatIsDecidedFromTheFirstBeginningOn) {
  DecisionRate rate;
  EXPECT_EQ(rate.per_minute(), std::nullopt);
  rate.read_clock(40);  // seconds that the starts took
  rate.begin(3);
  rate.begin(4);
  rate.decide(4);
  rate.read_clock(45);
  rate.begin(5);
  rate.decide(3);
  rate.decide(5);
  rate.read_clock(70);
  EXPECT_EQ(rate.decided(), 3);
  EXPECT_EQ(rate.first_decided(), 45);
  EXPECT_DOUBLE_EQ(rate.per_minute().value(), 6);
}

TEST(DecisionRate, LeavesOutWhatIsNeverDecided) {
  DecisionRate rate;
  rate.begin(3);
  rate.begin(4);
  rate.decide(3);
  rate.give_up(4);
  rate.read_clock(30);
  EXPECT_EQ(rate.decided(), 1);
  EXPECT_DOUBLE_EQ(rate.per_minute().value(), 2);
}

TEST(DecisionRate, TellsHowLongACandidateTakesByTheLatestOnes) {
  DecisionRate rate;
  EXPECT_EQ(rate.candidate_seconds(12), 12);
  double now = 0;
  std::int64_t id = 0;
  const auto takes = [&](double seconds) {
    rate.begin(++id);
    rate.decide(id);
    rate.read_clock(now += seconds);
  };
  takes(100);
  EXPECT_EQ(rate.candidate_seconds(12), 100);
  for (int i = 0; i < 7; ++i) takes(4);
  EXPECT_EQ(rate.candidate_seconds(12), 4);  // one of eight took longer
  for (int i = 0; i < 8; ++i) takes(6);
  EXPECT_EQ(rate.candidate_seconds(12), 6);
}

}  // namespace
}  // namespace robust_kbench
