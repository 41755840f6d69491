#include "filter/precision_filter.hpp"

#include "small_tasks.hpp"

#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PrecisionFilterTest : public testing::Test {
 protected:
  using Forward = std::function<at::Tensor(const at::Tensor& x, const at::Tensor& w)>;

  [[nodiscard]] FilterResult result(const Forward& forward, const Tolerance& tolerance = {}) const {
    Task task = m_tasks.linked(forward);
    task.forward_contract.outputs = {{.name = "y", .tolerance = tolerance}};
    return m_tasks.result_of(precision_filter, task);
  }

  SmallTasks m_tasks;
};

std::vector<std::string> asked(const FilterResult& result) {
  std::vector<std::string> names;
  for (const Measurement& measured : result.measurements) names.push_back(measured.what);
  return names;
}

TEST_F(PrecisionFilterTest, LetsATaskPassThatTellsFloat32FromCoarserArithmetic) {
  const FilterResult found = result([](const auto& x, const auto& w) { return at::matmul(x, w); });
  EXPECT_EQ(found.status, FilterStatus::pass) << found.reason;
  EXPECT_THAT(asked(found),
              ElementsAre("torch's own error in y, of what is allowed", "all in bfloat16",
                          "factors in bfloat16", "factors in TF32"));
  EXPECT_GT(*found.measurements[0].value, 0);
  EXPECT_LT(*found.measurements[0].value, 1);
}

TEST_F(PrecisionFilterTest, CatchesATaskThatAcceptsCoarserFactors) {
  const auto product = [](const auto& x, const auto& w) { return at::matmul(x, w); };
  const FilterResult found = result(product, {.atol = 1e-2, .rtol = 1e-2});
  EXPECT_EQ(found.status, FilterStatus::caught);
  EXPECT_THAT(found.reason, HasSubstr("factors in TF32"));
}

TEST_F(PrecisionFilterTest, AsksAboutFactorsOnlyWhereThereIsAProduct) {
  const FilterResult found = result([](const auto& x, const auto& w) { return at::mul(x, w); });
  EXPECT_THAT(asked(found),
              ElementsAre("torch's own error in y, of what is allowed", "all in bfloat16"));
}

TEST_F(PrecisionFilterTest, CatchesATaskThatTorchItselfFails) {
  const FilterResult found = result([](const auto& x, const auto& w) {
    return at::mul(x, w).mul(x.scalar_type() == at::kDouble ? 1.0 : 1.001);
  });
  EXPECT_EQ(found.status, FilterStatus::caught);
  EXPECT_THAT(found.reason, HasSubstr("torch's own result fails small/rows_3/seed_1"));
}

TEST_F(PrecisionFilterTest, AsksATaskIn16BitsOnlyAboutTorchsOwnResult) {
  Task task = m_tasks.linked([](const auto& x, const auto&) { return x.mul(3); });
  task.inputs = [](const Params&) {
    return std::vector<TensorSpec>{{.name = "x", .shape = {3, 4}, .dtype = at::kHalf}};
  };
  task.forward_contract.outputs = {{.name = "y", .dtype = at::kHalf}};
  const FilterResult found = m_tasks.result_of(precision_filter, task);
  EXPECT_EQ(found.status, FilterStatus::pass) << found.reason;
  EXPECT_THAT(asked(found), ElementsAre("torch's own error in y, of what is allowed"));
}

}  // namespace
}  // namespace robust_kbench
