#include "core/paired_samples.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(PairedSamples, DividesWhatWasMeasuredTogether) {
  const WorkerSamples over{{2, 4}, {9}};
  const WorkerSamples under{{1, 2}, {3}};
  EXPECT_EQ(paired_ratios(over, under), (WorkerSamples{{2, 2}, {3}}));
}

TEST(PairedSamples, LeavesOutWhatOneSideLacks) {
  const WorkerSamples over{{2, 4, 8}, {}, {5}};
  const WorkerSamples under{{1, 2}, {3}};
  EXPECT_EQ(paired_ratios(over, under), (WorkerSamples{{2, 2}}));
  EXPECT_THROW(paired_ratios({{}}, {{1}}), HarnessError);
}

TEST(PairedSamples, GivesAnIntervalThatSharedDriftDoesNotWiden) {
  WorkerSamples fast;
  WorkerSamples slow;
  for (int worker = 0; worker < 5; ++worker) {
    fast.emplace_back();
    slow.emplace_back();
    for (int round = 0; round < 10; ++round) {
      const double drift = 1 + 0.2 * round + 0.1 * worker;
      fast.back().push_back(100 * drift);
      slow.back().push_back(110 * drift);
    }
  }
  const WorkerSamples pairs = paired_ratios(slow, fast);
  const Interval paired = bootstrap_ratio(pairs, unit_samples(pairs), interval_seed);
  const Interval apart = bootstrap_ratio(slow, fast, interval_seed);
  EXPECT_NEAR(paired.low, 1.1, 1e-9);
  EXPECT_NEAR(paired.high, 1.1, 1e-9);
  EXPECT_LT(apart.low, 1);
  EXPECT_GT(apart.high, 1.2);
}

}  // namespace
}  // namespace robust_kbench
