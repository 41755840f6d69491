#include "evolve/acceptance.hpp"

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"
#include "evolve/speedup_text.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr double chance_above = 0.025;  // that a 95 % interval lies above the true ratio

// Candidates that need this many races may use up this share of the level that those with fewer
// have left. Most runs end among the first. So these get nearly all, and the others still add up to
// less.
constexpr int least_races = 2;
constexpr double share_of_first = 0.99;
constexpr double share_of_further = 0.5;

const SpeedupRecord* find(const std::vector<SpeedupRecord>& speedups, const std::string& rival) {
  const auto of_rival = [&](const SpeedupRecord& speedup) { return speedup.against == rival; };
  const auto found = std::find_if(speedups.begin(), speedups.end(), of_rival);
  return found == speedups.end() ? nullptr : &*found;
}

// The config that is certainly slower by more than the limit, if any is.
const ConfigTimingRecord* slower_config(const std::vector<ConfigTimingRecord>& timings,
                                        const std::string& rival, double slower_limit) {
  for (const ConfigTimingRecord& config : timings) {
    const SpeedupRecord* speedup = find(config.speedups, rival);
    if (speedup != nullptr && speedup->ci_high < 1 / (1 + slower_limit)) return &config;
  }
  return nullptr;
}

}  // namespace

RaceJudgement judge_race(const std::vector<ConfigTimingRecord>& timings, const std::string& rival,
                         double slower_limit) {
  RaceJudgement judgement;
  const std::vector<SpeedupRecord> means = mean_speedups(timings, 0);
  const SpeedupRecord* mean = find(means, rival);
  if (mean == nullptr) {
    judgement.reason = "no config was timed";
    return judgement;
  }
  judgement.speedup = *mean;
  if (const ConfigTimingRecord* config = slower_config(timings, rival, slower_limit)) {
    const SpeedupRecord& speedup = *find(config->speedups, rival);
    judgement.result = RaceResult::slower;
    judgement.reason = fmt::format("{} on {}", with_interval(speedup), config->config);
    return judgement;
  }
  if (mean->ci_low > 1) judgement.result = RaceResult::faster;
  if (mean->ci_high < 1) judgement.result = RaceResult::slower;
  judgement.reason =
      fmt::format("{} over {}", with_interval(*mean), counted(timings.size(), "config"));
  return judgement;
}

bool race_is_lost(const std::vector<ConfigTimingRecord>& so_far, std::size_t configs,
                  const std::string& rival, double slower_limit) {
  if (slower_config(so_far, rival, slower_limit) != nullptr) return true;
  if (2 * so_far.size() < configs) return false;
  return judge_race(so_far, rival, slower_limit).result == RaceResult::slower;
}

int required_races(int candidate, double level) {
  for (int races = least_races;; ++races) {
    const double chance = std::pow(chance_above, races);
    const double share = races == least_races ? share_of_first : share_of_further;
    const auto most = static_cast<int>(std::min<double>(candidate, share * level / chance));
    if (candidate <= most) return races;
    candidate -= most;
    level -= most * chance;
  }
}

}  // namespace robust_kbench
