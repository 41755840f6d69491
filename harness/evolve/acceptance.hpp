#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/speedup.hpp"

namespace robust_kbench {

// What one race of a child against its parent says.
enum class RaceResult { faster, not_told_apart, slower };

struct RaceJudgement {
  RaceResult result = RaceResult::not_told_apart;
  std::optional<SpeedupRecord> speedup;  // the geometric mean over the configs that were timed
  std::string reason;                    // for a person
};

// `faster` where the 95 % interval of the mean lies above 1 and no config is certainly slower by
// more than `slower_limit`. `slower` where either is certain the other way. Both hold for the
// configs so far, and `slower` stays so, whatever further configs say of the limit.
RaceJudgement judge_race(const std::vector<ConfigTimingRecord>& timings, const std::string& rival,
                         double slower_limit);

// True once a race is lost: a config is certainly slower by more than the limit, or the mean of at
// least half of all configs is.
bool race_is_lost(const std::vector<ConfigTimingRecord>& so_far, std::size_t configs,
                  const std::string& rival, double slower_limit);

// How many races with new workers a child must win one after another. A child that is no faster
// wins one by chance in 40, since an interval of 95 % lies above 1 so often. With this many races
// the expected number of such children among `candidates` is at most `level`. At least two.
int required_races(int candidates, double level);

}  // namespace robust_kbench
