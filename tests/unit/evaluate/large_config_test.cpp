#include "evaluate/large_config.hpp"

#include "tensor/workload.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Params matrix_sizes(std::int64_t rows, std::int64_t columns) {
  return {{"rows", rows}, {"columns", columns}};
}

// A matrix of rows x columns, each element of which costs `bytes`.
Task costly_matrix_task(double bytes = 4) {
  Task task;
  task.name = "matrix";
  task.defaults = matrix_sizes(4, 4);
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{
        {.name = "x", .shape = {params.integer("rows"), params.integer("columns")}}};
  };
  task.forward_contract.cost = [bytes](const Params& params) {
    return Cost{.bytes = bytes *
                         static_cast<double>(params.integer("rows") * params.integer("columns"))};
  };
  task.shapes = Shapes{.sizes = {{"rows", 1, 100}, {"columns", 4, 100, 4}}};
  return task;
}

const std::vector<Config> listed_matrices{{.params = matrix_sizes(8, 16)},
                                          {.params = matrix_sizes(1000, 2000)}};

std::optional<Config> draw_large(std::uint64_t nonce, const Task& task = costly_matrix_task()) {
  return large_config(task, Direction::forward, Device::cpu, listed_matrices, nonce);
}

TEST(LargeConfig, LiesBesideTheLargestListedOneInEachSize) {
  for (std::uint64_t nonce = 0; nonce < 100; ++nonce) {
    const std::optional<Config> large = draw_large(nonce);
    ASSERT_TRUE(large);
    EXPECT_EQ(large->name, "drawn_large");
    EXPECT_THAT(large->note, IsEmpty());
    const std::int64_t rows = large->params.integer("rows");
    const std::int64_t columns = large->params.integer("columns");
    EXPECT_TRUE(rows >= 860 && rows < 1000 && rows % 2 == 1) << rows;
    EXPECT_TRUE(columns >= 1720 && columns < 2000 && columns / 4 % 2 == 1) << columns;
    EXPECT_EQ(columns % 4, 0);
  }
}

TEST(LargeConfig, IsDecidedByTheNonceAlone) {
  EXPECT_EQ(draw_large(7)->params, draw_large(7)->params);
  EXPECT_NE(draw_large(7)->params, draw_large(8)->params);
}

TEST(LargeConfig, ChangesShortSizesByOneWithoutMoreElements) {
  Task task = costly_matrix_task();
  task.shapes = Shapes{.sizes = {{"rows", 1, 9}, {"columns", 1, 9}}};
  for (std::uint64_t nonce = 0; nonce < 100; ++nonce) {
    const std::optional<Config> large = large_config(task, Direction::forward, Device::cpu,
                                                     {{.params = matrix_sizes(3, 9)}}, nonce);
    ASSERT_TRUE(large);
    const std::int64_t rows = large->params.integer("rows");
    const std::int64_t columns = large->params.integer("columns");
    EXPECT_TRUE(rows >= 2 && rows <= 4 && columns >= 8 && columns <= 9) << rows << " " << columns;
    EXPECT_LE(rows * columns, 27);
  }
}

TEST(LargeConfig, IsAsLargeAsFitsItsTimeAndSaysSo) {
  const Task task = costly_matrix_task(/*bytes=*/1000);
  for (std::uint64_t nonce = 0; nonce < 100; ++nonce) {
    const std::optional<Config> large = draw_large(nonce, task);
    ASSERT_TRUE(large);
    const double elements = *elements_of({task, Direction::forward, large->params});
    EXPECT_LE(elements, 50'000) << "a reference takes 0.05 s";
    EXPECT_GE(elements, 10'000);
    EXPECT_THAT(large->note, HasSubstr("% of the elements of the largest listed config, as many as "
                                       "its 0.5 s allow"));
  }
}

TEST(LargeConfig, IsOneOfTheLargePointsThatFitWhereATaskHasPoints) {
  Task task = costly_matrix_task(/*bytes=*/1000);
  const std::vector<Params> points{matrix_sizes(999, 1996), matrix_sizes(201, 200),
                                   matrix_sizes(9, 4), matrix_sizes(151, 200)};
  task.shapes = Shapes{.points = {matrix_sizes(3, 4)}, .large = points};
  std::vector<Params> drawn;
  for (std::uint64_t nonce = 0; nonce < 20; ++nonce)
    drawn.push_back(draw_large(nonce, task)->params);
  EXPECT_THAT(drawn, testing::Contains(points[1]));
  EXPECT_THAT(drawn, testing::Contains(points[3]));
  EXPECT_THAT(drawn, testing::Not(testing::Contains(points[0]))) << "too costly";
  EXPECT_THAT(drawn, testing::Not(testing::Contains(points[2]))) << "far smaller than others";
}

TEST(LargeConfig, DoesNotExistWhereShapesAreFixedOrNoPointIsLarge) {
  Task task = costly_matrix_task();
  task.shapes = Shapes{.points = {matrix_sizes(3, 4)}};
  EXPECT_FALSE(draw_large(1, task));
  task.shapes.reset();
  EXPECT_FALSE(draw_large(1, task));
}

}  // namespace
}  // namespace robust_kbench
