#include "filter/null_kernel_filter.hpp"

#include "small_tasks.hpp"

#include <ATen/ops/mul.h>
#include <ATen/ops/softmax.h>
#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class NullKernelFilterTest : public testing::Test {
 protected:
  [[nodiscard]] FilterResult result(const Task& task) const {
    return m_tasks.result_of(null_kernel_filter, task);
  }
  // Why a task is caught; empty: it passes.
  [[nodiscard]] std::string reason(const Task& task) const { return result(task).reason; }

  SmallTasks m_tasks;
};

TEST_F(NullKernelFilterTest, LetsATaskPassThatRejectsThemAll) {
  const Task task = m_tasks.linked([](const auto& x, const auto& w) { return at::mul(x, w); });
  const FilterResult found = result(task);
  EXPECT_EQ(found.status, FilterStatus::pass);
  EXPECT_EQ(found.value, 0);
  ASSERT_EQ(found.measurements.size(), 5);  // zeros, ones, mean, another call, a copy of x
  EXPECT_EQ(found.measurements[0].where, "small/rows_3/seed_1");
  EXPECT_GT(*found.measurements[0].value, 0);
}

TEST_F(NullKernelFilterTest, CatchesATaskThatAcceptsZeros) {
  const auto task = [&](double scale) {
    return m_tasks.linked(
        [scale](const auto& x, const auto& w) { return at::mul(x, w).mul(scale); });
  };
  EXPECT_THAT(reason(task(1e-9)), HasSubstr("zeros as y"));
  EXPECT_EQ(reason(task(1e-3)), "");
}

TEST_F(NullKernelFilterTest, CatchesATaskThatAcceptsOnes) {
  const auto task = [&](int axis) {
    return m_tasks.linked(
        [axis](const auto& x, const auto&) { return at::softmax(x.unsqueeze(-1), axis); });
  };
  EXPECT_THAT(reason(task(-1)), HasSubstr("ones as y"));
  EXPECT_EQ(reason(task(1)), "");
}

TEST_F(NullKernelFilterTest, CatchesATaskThatAcceptsTheMeanOrAnotherCall) {
  const auto task = [&](double scale) {
    return m_tasks.linked(
        [scale](const auto& x, const auto& w) { return at::mul(x, w).mul(scale).add(3); });
  };
  EXPECT_THAT(reason(task(1e-7)), HasSubstr("the mean of other calls as y"));
  EXPECT_THAT(reason(task(1e-7)), HasSubstr("the output of another call as y"));
  EXPECT_EQ(reason(task(1)), "");
}

TEST_F(NullKernelFilterTest, CatchesATaskThatAcceptsACopyOfAnInput) {
  const auto task = [&](double scale) {
    return m_tasks.linked([scale](const auto& x, const auto&) { return x.mul(scale); });
  };
  EXPECT_THAT(reason(task(1)), HasSubstr("a copy of x as y"));
  EXPECT_EQ(reason(task(2)), "");
}

// The task's own tolerance replaces the limits of precision.
TEST_F(NullKernelFilterTest, HoldsThemToTheTasksTolerance) {
  Task task = m_tasks.linked([](const auto& x, const auto& w) { return at::mul(x, w); });
  task.forward_contract.outputs = {{.name = "y", .tolerance = Tolerance{.atol = 100}}};
  EXPECT_EQ(result(task).value, 5);
}

// The operator is max(x, 0) w, and x is never negative in typical data.
class WithoutANodeTest : public NullKernelFilterTest {
 protected:
  [[nodiscard]] Task positive_task(const json& inapplicable) const {
    return m_tasks.imported(
        {node("aten::relu", json::array({t(0)})), node("aten::matmul", {t(2), t(1)})}, 3, {3, 4},
        {{"kind", "uniform"}, {"a", 0.0}, {"b", 1.0}}, inapplicable);
  }
};

TEST_F(WithoutANodeTest, RejectsTheOperatorWithoutANodeThatProbesShow) {
  const FilterResult found = result(positive_task(json::array()));
  EXPECT_EQ(found.status, FilterStatus::pass) << found.reason;
  for (const Measurement& measured : found.measurements) {
    EXPECT_THAT(measured.note, testing::Not(HasSubstr("accepted"))) << measured.what;
  }
}

TEST_F(WithoutANodeTest, CatchesATaskWhoseTestsNeverShowANode) {
  json inapplicable = json::array();
  for (const Probe probe : all_probes) {
    inapplicable.push_back({{"probe", to_string(probe)}, {"reason", "left out"}});
  }
  const FilterResult found = result(positive_task(inapplicable));
  EXPECT_EQ(found.status, FilterStatus::caught);
  EXPECT_THAT(found.reason, HasSubstr("the operator without node 0 (aten::relu)"));
}

TEST_F(WithoutANodeTest, OnlyListsANodeThatDoesNothing) {
  const Task task = m_tasks.imported(
      {node("aten::clone", json::array({t(0)})), node("aten::matmul", {t(2), t(1)})}, 3, {3, 4});
  const FilterResult found = result(task);
  EXPECT_EQ(found.status, FilterStatus::pass) << found.reason;
  EXPECT_THAT(found.measurements.at(found.measurements.size() - 2).note, HasSubstr("does nothing"));
}

}  // namespace
}  // namespace robust_kbench
