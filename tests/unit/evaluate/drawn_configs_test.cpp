#include "evaluate/drawn_configs.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// A matrix of rows x columns, and a size that only an error could make matter.
Task matrix_task() {
  Task task;
  task.name = "matrix";
  task.defaults = {{"rows", std::int64_t{4}},
                   {"columns", std::int64_t{4}},
                   {"unused", std::int64_t{5}},
                   {"eps", 1e-5}};
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{
        {.name = "x", .shape = {params.integer("rows"), params.integer("columns")}}};
  };
  task.shapes = Shapes{.sizes = {{"rows", 1, 2000}, {"columns", 4, 2000, 4}, {"unused", 1, 9}}};
  return task;
}

Config listed(std::int64_t rows, std::int64_t columns) {
  return {
      .name = "small/matrix",
      .params = {{"rows", rows}, {"columns", columns}, {"unused", std::int64_t{5}}, {"eps", 1e-5}}};
}

const std::vector<Config> listed_configs{listed(8, 16), listed(400, 40), listed(2000, 2000)};

std::vector<Config> draw(std::uint64_t nonce, const Task& task = matrix_task()) {
  return drawn_configs(task, Direction::forward, listed_configs, nonce);
}

TEST(DrawnConfigs, AreThreeWithinTheirRanges) {
  for (std::uint64_t nonce = 0; nonce < 100; ++nonce) {
    const std::vector<Config> configs = draw(nonce);
    ASSERT_EQ(configs.size(), 3U);
    for (std::size_t i = 0; i < configs.size(); ++i) {
      EXPECT_EQ(configs[i].name, "drawn_" + std::to_string(i + 1));
      EXPECT_EQ(configs[i].set, ConfigSet::drawn);
      const std::int64_t rows = configs[i].params.integer("rows");
      const std::int64_t columns = configs[i].params.integer("columns");
      EXPECT_GE(rows, 1);
      EXPECT_GE(columns, 4);
      EXPECT_EQ(columns % 4, 0);
      EXPECT_LE(rows * columns, 400 * 40) << "the median of the listed ones";
    }
  }
}

TEST(DrawnConfigs, DifferFromEachOtherAndFromListedOnes) {
  for (std::uint64_t nonce = 0; nonce < 100; ++nonce) {
    std::vector<Config> all = draw(nonce);
    all.insert(all.end(), listed_configs.begin(), listed_configs.end());
    for (auto one = all.begin(); one != all.end(); ++one) {
      EXPECT_TRUE(std::none_of(std::next(one), all.end(),
                               [&](const Config& other) { return other.params == one->params; }));
    }
  }
}

TEST(DrawnConfigs, AreDecidedByTheNonceAlone) {
  EXPECT_EQ(draw(7)[1].params, draw(7)[1].params);
  EXPECT_NE(draw(7)[1].params, draw(8)[1].params);
}

TEST(DrawnConfigs, AreOnePastABlockThenLongAndOddThenLeast) {
  constexpr std::array<std::int64_t, 8> past_blocks{9, 17, 33, 65, 129, 257, 513, 1025};
  for (std::uint64_t nonce = 0; nonce < 100; ++nonce) {
    const std::vector<Config> configs = draw(nonce);
    const auto rows = [&](int i) { return configs[i].params.integer("rows"); };
    const auto steps = [&](int i) { return configs[i].params.integer("columns") / 4; };
    EXPECT_TRUE(std::ranges::count(past_blocks, rows(0)) +
                std::ranges::count(past_blocks, steps(0)))
        << rows(0) << " x " << steps(0);
    EXPECT_TRUE((rows(1) % 2 == 1 && rows(1) > 200) || (steps(1) % 2 == 1 && steps(1) > 80))
        << rows(1) << " x " << steps(1);
    EXPECT_TRUE(rows(2) == 1 || steps(2) == 1) << rows(2) << " x " << steps(2);
  }
}

TEST(DrawnConfigs, KeepParametersThatAreNoSizesAndSizesThatMakeNoTensor) {
  for (const Config& config : draw(1)) {
    EXPECT_EQ(config.params.integer("unused"), 5);
    EXPECT_EQ(config.params.real("eps"), 1e-5);
  }
}

TEST(DrawnConfigs, FitTogetherAsTheTaskSays) {
  Task task = matrix_task();
  task.shapes->valid = [](const Params& params) {
    return params.integer("rows") <= params.integer("columns");
  };
  for (std::uint64_t nonce = 0; nonce < 50; ++nonce) {
    for (const Config& config : draw(nonce, task)) {
      EXPECT_LE(config.params.integer("rows"), config.params.integer("columns"));
    }
  }
}

TEST(DrawnConfigs, DoNotExistWhereShapesAreFixed) {
  Task task = matrix_task();
  task.shapes.reset();
  EXPECT_THAT(draw(1, task), IsEmpty());
}

std::string refusal(const Shapes& shapes) {
  Task task = matrix_task();
  task.shapes = shapes;
  try {
    (void)draw(1, task);
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(DrawnConfigs, RefuseShapesThatTheTaskContradicts) {
  EXPECT_THAT(refusal({.sizes = {{"depth", 1, 9}}}), HasSubstr("'depth', which is no integer"));
  EXPECT_THAT(refusal({.sizes = {{"eps", 1, 9}}}), HasSubstr("'eps', which is no integer"));
  EXPECT_THAT(refusal({.sizes = {{"rows", 5, 7, 4}}}), HasSubstr("multiple of 4 from 5 to 7"));
  EXPECT_THAT(refusal({.sizes = {{"unused", 1, 9}}}), HasSubstr("no size on which its tensors"));
  const auto none = [](const Params&) { return false; };
  EXPECT_THAT(refusal({.sizes = {{"rows", 1, 9}}, .valid = none}),
              HasSubstr("fewer than 3 configs"));
}

}  // namespace
}  // namespace robust_kbench
