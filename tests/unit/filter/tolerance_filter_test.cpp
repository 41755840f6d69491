#include "filter/tolerance_filter.hpp"

#include "small_tasks.hpp"

#include <ATen/ops/mul.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

FilterResult result_with(const Tolerance& tolerance) {
  const SmallTasks tasks;
  Task task = tasks.linked([](const auto& x, const auto& w) { return at::mul(x, w); });
  task.forward_contract.outputs = {{.name = "y", .tolerance = tolerance}};
  return tasks.result_of(tolerance_filter, task);
}

TEST(ToleranceFilter, CatchesALimitThatIsAsWideAsTheSignal) {
  const FilterResult result = result_with({.atol = 0.5, .rtol = 0});
  EXPECT_EQ(result.status, FilterStatus::caught);
  EXPECT_GT(*result.value, 0.1);
  EXPECT_FALSE(result.reason.empty());
}

TEST(ToleranceFilter, PassesATighterLimit) {
  const FilterResult result = result_with({.atol = 0.01, .rtol = 0.01});
  EXPECT_EQ(result.status, FilterStatus::pass);
  EXPECT_LT(*result.value, 0.1);
}

// One rounding is small beside a large output, but as large as the differences between calls.
TEST(ToleranceFilter, MeasuresWhatDiffersBetweenCalls) {
  const SmallTasks tasks;
  const auto result_over = [&](double offset) {
    const Task task = tasks.linked(
        [offset](const auto& x, const auto& w) { return at::mul(x, w).mul(1e-3).add(offset); });
    return tasks.result_of(tolerance_filter, task).status;
  };
  EXPECT_EQ(result_over(1000), FilterStatus::caught);
  EXPECT_EQ(result_over(1), FilterStatus::pass);
}

}  // namespace
}  // namespace robust_kbench
