#include "evaluate/pool_demand.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// 20 to time, 7 for each job, and up to 13 for the cache.
const PoolDemand demand(20, 7, 13);

TEST(PoolDemand, IsAtLeastThatOfOneJobWithoutACache) {
  EXPECT_EQ(demand.least(), 27);
  EXPECT_EQ(demand.split(27, 8).jobs, 1);
  EXPECT_EQ(demand.split(27, 8).cache_bytes, 0);
}

TEST(PoolDemand, IsAtMostThatOfAllJobsAndTheCache) {
  EXPECT_EQ(demand.most(4), 61);
  EXPECT_EQ(demand.split(61, 4).jobs, 4);
  EXPECT_EQ(demand.split(61, 4).cache_bytes, 13);
}

TEST(PoolDemand, PrefersJobsToACache) {
  EXPECT_EQ(demand.split(37, 4).jobs, 2);
  EXPECT_EQ(demand.split(37, 4).cache_bytes, 3);
}

TEST(PoolDemand, NeverSharesOutMoreThanWasClaimed) {
  for (std::size_t claimed = demand.least(); claimed <= demand.most(4); ++claimed) {
    const PoolDemand::Shares shares = demand.split(claimed, 4);
    EXPECT_LE(20 + 7 * static_cast<std::size_t>(shares.jobs) + shares.cache_bytes, claimed);
    EXPECT_GE(shares.jobs, 1);
  }
}

}  // namespace
}  // namespace robust_kbench
