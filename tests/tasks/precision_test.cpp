#include "entries.hpp"
#include "tensor/comparison.hpp"
#include "tensor/generator.hpp"
#include "tensor/reference.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class PrecisionOf : public testing::TestWithParam<TaskEntry> {};

// A tolerance that torch itself barely holds would reject honest kernels that sum in another order.
TEST_P(PrecisionOf, LeavesTorchTwiceTheRoomThatItNeeds) {
  const auto& [task, direction] = GetParam();
  const std::vector<Output>& outputs = contract(task, direction).outputs;
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    for (std::uint64_t seed = 1; seed <= default_seeds; ++seed) {
      const Tensors tensors =
          make_tensors(task, direction == Direction::backward, config.params, seed);
      const auto expected = reference(task, direction, config.params, tensors);
      const auto actual = eager(task, direction, config.params, tensors);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        Tolerance half = outputs[i].tolerance;
        half.atol /= 2;
        half.rtol /= 2;
        const Comparison result = compare(outputs[i].name, actual[i], expected[i], half);
        EXPECT_TRUE(result.equal) << config.name << " seed " << seed << "\n" << result.message;
      }
    }
  }
}

TEST_P(PrecisionOf, StatesAReasonForEachTolerance) {
  for (const Output& output : contract(GetParam().task, GetParam().direction).outputs) {
    EXPECT_LE(output.tolerance.atol, 1e-3);
    EXPECT_LE(output.tolerance.rtol, 1e-5);
    EXPECT_FALSE(output.tolerance.reason.empty());
    const Tolerance standard;
    if (output.tolerance.atol != standard.atol) {
      EXPECT_NE(output.tolerance.reason, standard.reason) << output.name;
    }
  }
}

// Most of a gradient must survive the mask that keeps it away from kinks.
TEST_P(PrecisionOf, HoldsBackFewGradients) {
  const auto& [task, direction] = GetParam();
  if (direction == Direction::forward || !task.near_kink) GTEST_SKIP() << "has no kink";
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    const at::Tensor grad = make_tensors(task, true, config.params, 1)["grad_output"];
    const auto zeros = grad.eq(0).sum().item<std::int64_t>();
    EXPECT_LE(zeros, 1 + grad.numel() / 1000) << config.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, PrecisionOf, testing::ValuesIn(task_entries()),
                         [](const auto& info) {
                           return info.param.task.name + "_" +
                                  std::string(to_string(info.param.direction));
                         });

}  // namespace
}  // namespace robust_kbench
