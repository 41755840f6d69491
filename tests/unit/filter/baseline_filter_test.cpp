#include "filter/baseline_filter.hpp"

#include "small_tasks.hpp"

#include <ATen/ops/mul.h>
#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const json scores{3, 4};

class BaselineFilterTest : public testing::Test {
 protected:
  [[nodiscard]] FilterResult result(const Task& task) const {
    return m_tasks.result_of(baseline_filter, task);
  }
  [[nodiscard]] FilterResult result(const json& nodes, std::size_t output,
                                    const json& shape = scores) const {
    return result(m_tasks.imported(nodes, output, shape));
  }

  SmallTasks m_tasks;
};

TEST_F(BaselineFilterTest, LetsADenseProductPass) {
  const FilterResult found = result(json::array({node("aten::matmul", {t(0), t(1)})}), 2);
  EXPECT_EQ(found.status, FilterStatus::pass);
  EXPECT_EQ(found.value, 1);
  EXPECT_EQ(found.measurements.size(), 2);
}

// The product of x and diag(diagonal(w)).
TEST_F(BaselineFilterTest, CatchesAProductWithADiagonalMatrix) {
  const FilterResult found =
      result({node("aten::diagonal", json::array({t(1)})), node("aten::diag", json::array({t(2)})),
              node("aten::matmul", {t(0), t(3)})},
             4);
  EXPECT_EQ(found.status, FilterStatus::caught);
  EXPECT_DOUBLE_EQ(*found.value, (2 * 3 * 4 * 4 + 16) / (3 * 4.0));
  EXPECT_THAT(found.reason, HasSubstr("node 2 (aten::matmul) is a product with a diagonal"));
}

TEST_F(BaselineFilterTest, CatchesAProductWithATriangularInput) {
  const json triangle{{"inputs", {"x"}},
                      {"constants", json::array()},
                      {"nodes", {node("aten::triu", json::array({t(0)}))}},
                      {"outputs", {1}}};
  const Task task =
      m_tasks.imported(json::array({node("aten::matmul", {t(0), t(1)})}), 2, scores,
                       {{"kind", "normal"}, {"a", 0.0}, {"b", 1.0}}, json::array(), triangle);
  const FilterResult found = result(task);
  EXPECT_EQ(found.status, FilterStatus::caught);
  EXPECT_DOUBLE_EQ(*found.value, 2);
}

TEST_F(BaselineFilterTest, CatchesAReductionOfOneElement) {
  const json sum{node("aten::matmul", {t(0), t(1)}), node("aten::amax", {t(2), {1}, true})};
  json again = sum;
  for (int i = 0; i < 8; ++i) again.push_back(node("aten::logsumexp", {t(3 + i), {1}, true}));
  EXPECT_EQ(result(sum, 3, {3, 1}).status, FilterStatus::pass);
  EXPECT_THAT(result(again, 11, {3, 1}).measurements.back().what,
              HasSubstr("node 9 (aten::logsumexp) has the elements of its tensor"));
}

TEST_F(BaselineFilterTest, CatchesAClampThatNeverBinds) {
  const auto clamped = [&](double least) {
    return result(
        {node("aten::sigmoid", json::array({t(0)})), node("aten::clamp", {t(2), least, 2.0})}, 3);
  };
  EXPECT_EQ(clamped(-1.0).status, FilterStatus::caught);
  EXPECT_DOUBLE_EQ(*clamped(-1.0).value, 2);
  EXPECT_EQ(clamped(0.5).status, FilterStatus::pass);
}

// The mean of the only column is subtracted from it.
TEST_F(BaselineFilterTest, CatchesAConstantResult) {
  const auto after = [&](const json& last, std::size_t output) {
    return result({node("aten::matmul", {t(0), t(1)}), node("aten::amax", {t(2), {1}, true}),
                   node("aten::mean.dim", {t(3), {1}, true}), last},
                  output, {3, 1});
  };
  const FilterResult found = after(node("aten::sub.Tensor", {t(3), t(4)}), 5);
  EXPECT_EQ(found.status, FilterStatus::caught);
  EXPECT_THAT(found.reason, HasSubstr("(aten::sub.Tensor) has the same result for all inputs"));
  EXPECT_EQ(after(node("aten::exp", json::array({t(3)})), 5).status, FilterStatus::pass);
}

TEST_F(BaselineFilterTest, CatchesASumOfAProduct) {
  const FilterResult found =
      result({node("aten::matmul", {t(0), t(1)}), node("aten::div.Scalar", {t(2), 2.0}),
              node("aten::sum.dim_IntList", {t(3), {1}, true})},
             4, {3, 1});
  EXPECT_EQ(found.status, FilterStatus::caught);
  EXPECT_THAT(found.reason, HasSubstr("sums results of a product"));
}

TEST_F(BaselineFilterTest, SaysThatALinkedTaskHasNoGraph) {
  const FilterResult found =
      result(m_tasks.linked([](const auto& x, const auto& w) { return at::mul(x, w); }));
  EXPECT_EQ(found.status, FilterStatus::skipped);
  EXPECT_EQ(found.reason, "not looked at: no graph");
}

}  // namespace
}  // namespace robust_kbench
