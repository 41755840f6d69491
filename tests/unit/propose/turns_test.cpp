#include "propose/turns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

// The takers of each turn, where those of `silent` take none.
std::vector<std::size_t> taken(Turns& turns, int count, const std::vector<std::size_t>& silent) {
  std::vector<std::size_t> all;
  for (int i = 0; i < count; ++i) {
    const bool is_taken = turns.offer([&](std::size_t index) {
      if (std::ranges::count(silent, index) > 0) return false;
      all.push_back(index);
      return true;
    });
    EXPECT_TRUE(is_taken);
  }
  return all;
}

TEST(Turns, AlternateWhereSharesAreEqual) {
  Turns turns({1, 1, 1});
  EXPECT_THAT(taken(turns, 6, {}), ElementsAre(0, 1, 2, 0, 1, 2));
}

TEST(Turns, FollowSharesToWithinOneAtAnyTime) {
  for (const double share : {0.1, 0.25, 0.3, 0.4, 0.5, 0.6, 0.9}) {
    Turns turns({(1 - share) / share, 1});
    const std::vector<std::size_t> all = taken(turns, 1000, {});
    double had = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      had += static_cast<double>(all[i]);
      EXPECT_LE(std::abs(had - share * static_cast<double>(i + 1)), 1 + 1e-6) << share << " " << i;
    }
  }
}

TEST(Turns, AreLostByWhomDeclines) {
  Turns turns({3, 1});
  EXPECT_THAT(taken(turns, 4, {0}), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(taken(turns, 4, {}), ElementsAre(0, 0, 0, 1));
}

TEST(Turns, AreLeftToOthersByAnInfiniteShareAlone) {
  Turns turns({std::numeric_limits<double>::infinity(), 1});
  EXPECT_THAT(taken(turns, 3, {}), ElementsAre(0, 0, 0));
  EXPECT_THAT(taken(turns, 2, {0}), ElementsAre(1, 1));
  EXPECT_THAT(taken(turns, 2, {}), ElementsAre(0, 0));
}

TEST(Turns, StayAsTheyWereWhereAllDecline) {
  Turns turns({1, 1});
  EXPECT_FALSE(turns.offer([](std::size_t) { return false; }));
  EXPECT_THAT(taken(turns, 2, {}), ElementsAre(0, 1));
}

}  // namespace
}  // namespace robust_kbench
