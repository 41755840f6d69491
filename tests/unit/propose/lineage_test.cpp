#include "propose/lineage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Le;

std::vector<double> costs_of(const std::vector<const Candidate*>& kernels) {
  std::vector<double> costs;
  for (const Candidate* kernel : kernels) costs.push_back(kernel->cost);
  return costs;
}

TEST(Lineage, ShowsParentsStartsAndWhatLostARaceFromFastToSlow) {
  Lineage lineage;
  lineage.begin({{.id = 1, .cost = 1}, {.id = 2, .cost = 1.5}}, {.id = 1, .cost = 1});
  lineage.accept({.id = 3, .parents = {1}, .cost = 0.8});
  lineage.accept({.id = 4, .parents = {3}, .cost = 0.5});
  lineage.add_outraced({.id = 5, .cost = 1.2});
  lineage.add_outraced({.id = 6, .cost = 0.7});
  EXPECT_THAT(costs_of(lineage.context()), ElementsAre(0.7, 0.8, 1, 1.2, 1.5));
}

TEST(Lineage, ShowsTheFastestOfManyThatLostARace) {
  Lineage lineage;
  lineage.begin({{.id = 1, .cost = 1}}, {.id = 1, .cost = 1});
  for (int i = 0; i < 30; ++i) {
    lineage.add_outraced({.id = 2 + i, .cost = 1 + 0.01 * ((7 * i) % 30)});
  }
  const std::vector<double> costs = costs_of(lineage.context());
  EXPECT_EQ(costs.size(), 20);
  EXPECT_THAT(costs, Each(Le(1.1901)));
}

}  // namespace
}  // namespace robust_kbench
