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
    const Workload workload{task, direction, config.params};
    for (std::uint64_t seed = 1; seed <= default_seeds; ++seed) {
      const Tensors tensors = make_tensors(workload, seed);
      const auto expected = reference(workload, tensors);
      const auto actual = eager(workload, tensors);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        Output halved = outputs[i];
        halved.tolerance = tolerance_of(outputs[i]);
        halved.tolerance->atol /= 2;
        halved.tolerance->rtol /= 2;
        const Comparison result = compare(halved, actual[i], expected[i]);
        EXPECT_TRUE(result.equal) << config.name << " seed " << seed << "\n" << result.message;
      }
    }
  }
}

// Rounds tensors to the values that a kernel reads when it computes in bfloat16.
Tensors rounded(const Tensors& tensors) {
  Tensors result;
  for (const auto& [name, tensor] : tensors.all()) {
    const bool real = tensor.defined() && tensor.scalar_type() == at::kFloat;
    result.set(name, real ? tensor.to(at::kBFloat16).to(at::kFloat) : tensor);
  }
  return result;
}

// A tolerance that holds everything checks nothing. A mean over many is right all the same, and so
// may be the few numbers of a small config.
TEST_P(PrecisionOf, SeldomHoldsInputsThatWereRounded) {
  const auto& [task, direction] = GetParam();
  const std::vector<Output>& outputs = contract(task, direction).outputs;
  const std::vector<Config> configs = GetParam().configs(ConfigSet::small);
  std::vector<std::size_t> held(outputs.size());
  for (const Config& config : configs) {
    const Workload workload{task, direction, config.params};
    const Tensors tensors = make_tensors(workload, 1);
    const auto expected = reference(workload, tensors);
    const auto actual = eager(workload, rounded(tensors));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      held[i] += compare(outputs[i], actual[i], expected[i]).equal ? 1 : 0;
    }
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_LT(2 * held[i], configs.size()) << outputs[i].name;
  }
}

TEST_P(PrecisionOf, StatesAReasonForEachTolerance) {
  for (const Output& output : contract(GetParam().task, GetParam().direction).outputs) {
    const Tolerance tolerance = tolerance_of(output);
    EXPECT_LE(tolerance.atol, 1e-3);
    EXPECT_LE(tolerance.rtol, 1e-5);
    EXPECT_FALSE(tolerance.reason.empty());
    const Tolerance standard;
    if (tolerance.atol != standard.atol) {
      EXPECT_NE(tolerance.reason, standard.reason) << output.name;
    }
  }
}

// Most of a gradient must survive the mask that keeps it away from kinks.
TEST_P(PrecisionOf, HoldsBackFewGradients) {
  const auto& [task, direction] = GetParam();
  if (direction == Direction::forward || !task.near_kink) GTEST_SKIP() << "has no kink";
  for (const Config& config : GetParam().configs(ConfigSet::small)) {
    const at::Tensor grad = make_tensors({task, direction, config.params}, 1)["grad_output"];
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
