#include "evolve/context_kernels.hpp"

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

TEST(ContextKernels, AreParentsSeedsAndWhatLostARaceFromFastToSlow) {
  const std::vector<Candidate> seeds{{.id = 1, .cost = 1}, {.id = 2, .cost = 1.5}};
  const Candidate earlier{.id = 3, .cost = 0.8};
  const Candidate parent{.id = 4, .cost = 0.5};
  const std::deque<Candidate> outraced{{.id = 5, .cost = 1.2}, {.id = 6, .cost = 0.7}};
  EXPECT_THAT(costs_of(context_kernels({&seeds[0], &earlier, &parent}, seeds, outraced)),
              ElementsAre(0.7, 0.8, 1, 1.2, 1.5));
}

TEST(ContextKernels, HoldTheFastestOfManyThatLostARace) {
  const std::vector<Candidate> seeds{{.id = 1, .cost = 1}};
  std::deque<Candidate> outraced;
  for (int i = 0; i < 30; ++i) {
    outraced.push_back({.id = 2 + i, .cost = 1 + 0.01 * ((7 * i) % 30)});
  }
  const std::vector<double> costs = costs_of(context_kernels({&seeds[0]}, seeds, outraced));
  EXPECT_EQ(costs.size(), 20);
  EXPECT_THAT(costs, Each(Le(1.1901)));
}

}  // namespace
}  // namespace robust_kbench
