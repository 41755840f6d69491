#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/speedup.hpp"

namespace robust_kbench {

// The result of one race of a child against its parent.
enum class RaceResult { faster, not_told_apart, slower };

struct RaceJudgement {
  RaceResult result = RaceResult::not_told_apart;
  std::optional<SpeedupRecord> speedup;  // the geometric mean over the configs that were timed
  std::string reason;                    // for a person
};

// Judges a race. It is `faster` where the 95 % interval of the mean lies above 1 and no config is
// certainly slower by more than `slower_limit`. It is `slower` where either is certain the other
// way. Both hold for the configs so far, and `slower` stays so, whatever further configs say of the
// limit.
RaceJudgement judge_race(const std::vector<ConfigTimingRecord>& timings, const std::string& rival,
                         double slower_limit);

// True once a race is lost. Then a config is certainly slower by more than the limit, or the mean
// of at least half of all configs is certainly slower.
bool race_is_lost(const std::vector<ConfigTimingRecord>& so_far, std::size_t configs,
                  const std::string& rival, double slower_limit);

// The number of races with new workers that a child must win one after another, if it is this
// candidate of a run, from 1. A child that is no faster wins one by chance in 40, since an interval
// of 95 % lies above 1 so often. The expected number of such children that win all of their races
// stays below `level`, however many candidates a run has. It is at least two, and more for later
// ones.
int required_races(int candidate, double level);

}  // namespace robust_kbench
