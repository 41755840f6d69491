#include "evolve/acceptance.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Samples about a time, the same for every worker.
TimingRecord timed_at(const std::string& subject, double us) {
  TimingRecord record{.subject = subject, .median_us = us};
  for (int worker = 0; worker < 5; ++worker) {
    std::vector<double>& samples = record.samples_us.emplace_back();
    for (int i = 0; i < 8; ++i) samples.push_back(us * (1 + 0.001 * ((worker + 3 * i) % 5 - 2)));
  }
  return record;
}

ConfigTimingRecord config(double child_us, double parent_us) {
  ConfigTimingRecord record{.config = "c"};
  record.subjects = {timed_at("kernel", child_us), timed_at("parent", parent_us)};
  record.speedups = {speedup(record.subjects[0], record.subjects[1], 0.02)};
  return record;
}

TEST(Acceptance, IsOfAGainByTheMeanOverAllConfigs) {
  const RaceJudgement judgement = judge_race({config(50, 100), config(101, 100)}, "parent", 0.1);
  EXPECT_EQ(judgement.result, RaceResult::faster);
  EXPECT_NEAR(judgement.speedup->ratio, std::sqrt(2 / 1.01), 0.01);
}

TEST(Acceptance, IsNotOfAGainWithOneConfigFarSlower) {
  EXPECT_EQ(judge_race({config(20, 100), config(130, 100)}, "parent", 0.1).result,
            RaceResult::slower);
}

TEST(Acceptance, TellsNoDifferenceWithinTheInterval) {
  EXPECT_EQ(judge_race({config(99.99, 100)}, "parent", 0.1).result, RaceResult::not_told_apart);
}

TEST(Acceptance, EndsARaceThatIsLost) {
  const std::vector<ConfigTimingRecord> slower{config(105, 100)};
  EXPECT_TRUE(race_is_lost({config(130, 100)}, 8, "parent", 0.1));
  EXPECT_TRUE(race_is_lost(slower, 2, "parent", 0.1));
  EXPECT_FALSE(race_is_lost(slower, 8, "parent", 0.1)) << "others may outweigh it";
  EXPECT_FALSE(race_is_lost({config(90, 100)}, 2, "parent", 0.1));
}

TEST(Acceptance, DemandsMoreRacesOfMoreCandidates) {
  EXPECT_EQ(required_races(1, 0.05), 2);
  EXPECT_EQ(required_races(79, 0.05), 2);
  EXPECT_EQ(required_races(81, 0.05), 3);
  EXPECT_LE(required_races(10000, 0.05), 6);
}

TEST(Acceptance, OfAllCandidatesOfARunIsByChanceLessOftenThanTheLevel) {
  for (const double level : {1e-6, 1e-4, 0.01, 0.05, 0.5}) {
    double expected = 0;  // children that are no faster
    int races = 2;
    for (int candidate = 1; candidate <= 10000; ++candidate) {
      const int required = required_races(candidate, level);
      EXPECT_GE(required, races);
      races = required;
      expected += std::pow(0.025, races);
      ASSERT_LT(expected, level) << candidate;
    }
  }
}

}  // namespace
}  // namespace robust_kbench
