#include "evolve/nearby_configs.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

Task task_of(std::optional<Shapes> shapes) {
  Task task;
  task.name = "adding";
  task.defaults = {{"n", std::int64_t{1}}};
  task.weights = [](const Params&) { return std::vector<TensorSpec>{}; };
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{{"x", {params.integer("n")}, normal()}};
  };
  task.shapes = std::move(shapes);
  return task;
}

std::vector<Config> listed_of(const std::vector<std::int64_t>& sizes) {
  std::vector<Config> listed;
  for (const std::int64_t size : sizes) {
    listed.push_back({.name = "n_" + std::to_string(size), .params = {{"n", size}}});
  }
  return listed;
}

TEST(NearbyConfigs, AreOfAboutTheSizeOfTheLargestAndNew) {
  const Task task = task_of(Shapes{.sizes = {{"n", 1, 100000}}});
  const std::vector<Config> listed = listed_of({10, 1000, 2000, 4000, 20});
  std::set<std::int64_t> seen;
  for (std::uint64_t nonce = 1; nonce <= 50; ++nonce) {
    const std::vector<Config> nearby = nearby_configs(task, Direction::forward, listed, nonce);
    ASSERT_EQ(nearby.size(), 3);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto size = static_cast<double>(nearby[i].params.integer("n"));
      const double near = std::vector{4000.0, 2000.0, 1000.0}[i];
      EXPECT_GE(size, 0.74 * near);
      EXPECT_LE(size, 1.26 * near);
      seen.insert(nearby[i].params.integer("n"));
    }
  }
  EXPECT_GT(seen.size(), 100);
  EXPECT_FALSE(seen.contains(1000) || seen.contains(2000) || seen.contains(4000));
}

TEST(NearbyConfigs, KeepToRangeMultipleAndWhatFitsTogether) {
  const auto is_valid = [](const Params& params) { return params.integer("n") % 3 == 0; };
  const Task task = task_of(Shapes{.sizes = {{"n", 1, 1000, 2}}, .valid = is_valid});
  for (std::uint64_t nonce = 1; nonce <= 20; ++nonce) {
    for (const Config& config :
         nearby_configs(task, Direction::forward, listed_of({900, 990}), nonce)) {
      EXPECT_EQ(config.params.integer("n") % 6, 0);
      EXPECT_LE(config.params.integer("n"), 1000);
    }
  }
}

TEST(NearbyConfigs, AreNoneWhereShapesAreFixedOrLeaveNoRoom) {
  EXPECT_TRUE(nearby_configs(task_of({}), Direction::forward, listed_of({8}), 1).empty());
  const Task narrow = task_of(Shapes{.sizes = {{"n", 8, 8}}});
  EXPECT_TRUE(nearby_configs(narrow, Direction::forward, listed_of({8}), 1).empty());
}

}  // namespace
}  // namespace robust_kbench
