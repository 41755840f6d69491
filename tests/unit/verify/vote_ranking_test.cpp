#include "verify/vote_ranking.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

const std::string loop = "for (int i = 0; i < n; ++i) { y[i] = x[i] * scale + shift; }";
const std::string other = "std::transform(x, x + n, y, [](float v) { return v + one; });";

TEST(VoteRanking, PutsVotesBeforeNovelty) {
  EXPECT_THAT(ranked({{loop, 2}, {loop, 3}, {loop, 2.5}}, 2, {}, 1), ElementsAre(1, 2));
  EXPECT_THAT(ranked({{other, 2}, {loop, 3}}, 2, {loop}, 1), ElementsAre(1, 0));
  EXPECT_THAT(ranked({{loop, 3}, {other, 3}}, 1, {loop}, 1), ElementsAre(1));
}

TEST(VoteRanking, TakesWhatDiffersFromThoseThatItTook) {
  const auto taken = ranked({{loop, 3}, {loop + " ", 3}, {other, 3}}, 3, {}, 1);
  ASSERT_EQ(taken.size(), 3);
  EXPECT_NE(std::min(taken[0], taken[1]) + std::max(taken[0], taken[1]), 1)
      << "two copies come before the other kernel";
}

TEST(VoteRanking, DrawsEqualOnesByTheSeedWhateverTheirOrder) {
  std::vector<RankedKernel> kernels;
  for (const char* name : {"a", "b", "c", "d", "e"}) kernels.push_back({name, 1});
  std::vector<RankedKernel> reversed(kernels.rbegin(), kernels.rend());
  std::vector<std::string> winners;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string winner = kernels[ranked(kernels, 1, {}, seed).at(0)].text;
    EXPECT_EQ(reversed[ranked(reversed, 1, {}, seed).at(0)].text, winner);
    winners.push_back(winner);
  }
  std::ranges::sort(winners);
  EXPECT_NE(winners.front(), winners.back());
}

TEST(VoteRanking, TakesWhatThereIs) {
  EXPECT_THAT(ranked({{loop, 1}}, 4, {}, 1), ElementsAre(0));
  EXPECT_TRUE(ranked({}, 4, {}, 1).empty());
}

}  // namespace
}  // namespace robust_kbench
