#include "evaluate/pool_demand.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// 20 bytes to time, 7 for each job, and up to 13 for the cache.
const PoolDemand demand(20, 7, 13);

TEST(PoolDemand, IsAtLeastThatOfOneJobWithoutACache) {
  EXPECT_EQ(demand.least(), 27);
  EXPECT_EQ(demand.split(27, 8).test_bytes, 7);
  EXPECT_EQ(demand.split(27, 8).cache_bytes, 0);
}

TEST(PoolDemand, IsAtMostThatOfAllJobsAndTheCache) {
  EXPECT_EQ(demand.most(4), 61);
  EXPECT_EQ(demand.split(61, 4).test_bytes, 28);
  EXPECT_EQ(demand.split(61, 4).cache_bytes, 13);
}

TEST(PoolDemand, GivesTheCacheHalfOfWhatOneJobLeaves) {
  EXPECT_EQ(demand.split(37, 4).test_bytes, 12);
  EXPECT_EQ(demand.split(37, 4).cache_bytes, 5);
}

TEST(PoolDemand, GivesTheCacheWhatJobsDoNotTake) {
  EXPECT_EQ(demand.split(43, 2).test_bytes, 14);
  EXPECT_EQ(demand.split(43, 2).cache_bytes, 9);
}

TEST(PoolDemand, NeverSharesOutMoreThanWasClaimed) {
  for (std::size_t claimed = demand.least(); claimed <= demand.most(4); ++claimed) {
    const PoolDemand::Shares shares = demand.split(claimed, 4);
    EXPECT_LE(20 + shares.test_bytes + shares.cache_bytes, claimed);
    EXPECT_GE(shares.test_bytes, 7);
  }
}

}  // namespace
}  // namespace robust_kbench
