#include "filter/output_statistics.hpp"

#include "small_tasks.hpp"

#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/mul.h>
#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class OutputStatisticsTest : public testing::Test {
 protected:
  [[nodiscard]] std::vector<FilterResult> results(const Task& task) const {
    return m_tasks.result_of(output_statistics, task, m_options);
  }
  [[nodiscard]] std::vector<std::string> caught(const Task& task) const {
    std::vector<std::string> names;
    for (const FilterResult& result : results(task)) {
      if (result.status == FilterStatus::caught) names.emplace_back(to_string(result.filter));
    }
    return names;
  }

  SmallTasks m_tasks;
  FilterOptions m_options;
};

at::Tensor scaled_product(const at::Tensor& x, const at::Tensor& w, double scale) {
  return at::mul(at::mul(x, w), scale);
}

TEST_F(OutputStatisticsTest, LetAnOperatorOfItsInputsAndWeightsPass) {
  const Task task = m_tasks.linked([](const auto& x, const auto& w) { return at::mul(x, w); });
  EXPECT_THAT(caught(task), IsEmpty());
}

TEST_F(OutputStatisticsTest, CatchOutputsNearZero) {
  const auto task = [&](double scale) {
    return m_tasks.linked([scale](const auto& x, const auto& w) {
      return scaled_product(x.clamp(-2, 2), w.clamp(-2, 2), scale);
    });
  };
  EXPECT_EQ(results(task(0.002))[0].status, FilterStatus::caught);
  EXPECT_LT(*results(task(0.002))[0].value, 0.01);
  EXPECT_EQ(results(task(0.02))[0].status, FilterStatus::pass);
}

// Outputs that are far from 0, and the same with every seed.
TEST_F(OutputStatisticsTest, CatchOutputsThatHardlyDependOnTheSeed) {
  const auto task = [&](double scale) {
    return m_tasks.linked([scale](const auto& x, const auto& w) {
      const at::Tensor ramp = at::arange(4, x.options());
      return at::add(scaled_product(x, w, scale), ramp);
    });
  };
  EXPECT_THAT(caught(task(1e-4)),
              ElementsAre("output_std", "output_axes", "input_impact", "weight_impact"));
  EXPECT_THAT(caught(task(1)), IsEmpty());
}

TEST_F(OutputStatisticsTest, CatchOutputsThatAreUniformAlongAnAxis) {
  const auto task = [&](double differs) {
    return m_tasks.linked([differs](const auto& x, const auto& w) {
      return at::add(x.mean(1, true).expand_as(x), at::add(x, w), differs);
    });
  };
  EXPECT_THAT(caught(task(0)), ElementsAre("output_axes", "weight_impact"));
  EXPECT_THAT(caught(task(1)), IsEmpty());
}

TEST_F(OutputStatisticsTest, CatchOutputsThatHardlyDependOnInputs) {
  const auto task = [&](double share) {
    return m_tasks.linked(
        [share](const auto& x, const auto& w) { return at::add(w.expand_as(x), x, share); });
  };
  EXPECT_THAT(caught(task(1e-4)), ElementsAre("output_axes", "input_impact"));
  EXPECT_THAT(caught(task(1)), IsEmpty());
}

TEST_F(OutputStatisticsTest, CatchAWeightWithoutInfluence) {
  const auto task = [&](double share) {
    return m_tasks.linked([share](const auto& x, const auto& w) { return at::add(x, w, share); });
  };
  EXPECT_THAT(caught(task(1e-4)), ElementsAre("weight_impact"));
  EXPECT_THAT(caught(task(1)), IsEmpty());
}

// A bias of 0 may change by training.
TEST_F(OutputStatisticsTest, VaryWeightsThatAreConstantInTypicalData) {
  const Task task = m_tasks.linked([](const auto& x, const auto& w) { return at::add(x, w); },
                                   normal(), constant(0));
  EXPECT_THAT(caught(task), IsEmpty());
}

TEST_F(OutputStatisticsTest, CompareWithTheThresholdsThatAreAskedFor) {
  const Task task = m_tasks.linked([](const auto& x, const auto& w) { return at::add(x, w); });
  m_options.range = 100;
  EXPECT_THAT(caught(task), ElementsAre("output_range"));
}

}  // namespace
}  // namespace robust_kbench
