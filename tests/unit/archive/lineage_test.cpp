#include "archive/lineage.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

ProposalRow proposal(std::int64_t id, std::vector<std::int64_t> parents,
                     std::optional<double> speedup) {
  ProposalRow row;
  row.id = id;
  row.parents = std::move(parents);
  row.speedup = speedup;
  return row;
}

std::vector<std::int64_t> ids(const std::vector<ProposalRow>& proposals) {
  std::vector<std::int64_t> found;
  for (const ProposalRow& row : proposals) found.push_back(row.id);
  return found;
}

TEST(Lineage, FollowsFirstParentsToTheSeed) {
  const std::vector<ProposalRow> rows{proposal(1, {}, {}), proposal(2, {1}, 1.5),
                                      proposal(4, {1}, 0.5), proposal(7, {2, 4}, 2.0)};
  EXPECT_THAT(ids(lineage(rows, 7)), ElementsAre(7, 2, 1));
  EXPECT_THAT(ids(lineage(rows, 1)), ElementsAre(1));
  EXPECT_EQ(speedup_over_seed(rows, 7), 3.0);
  EXPECT_EQ(speedup_over_seed(rows, 1), 1.0);
}

TEST(Lineage, KnowsNoSpeedupWhereARaceIsMissing) {
  const std::vector<ProposalRow> rows{proposal(1, {}, {}), proposal(2, {1}, {}),
                                      proposal(3, {2}, 2.0)};
  EXPECT_EQ(speedup_over_seed(rows, 3), std::nullopt);
}

TEST(Lineage, RefusesABrokenLineage) {
  EXPECT_THROW((void)lineage({proposal(2, {1}, {})}, 2), UserError);
  EXPECT_THROW((void)lineage({proposal(1, {2}, {}), proposal(2, {1}, {})}, 2), UserError);
}

}  // namespace
}  // namespace robust_kbench
