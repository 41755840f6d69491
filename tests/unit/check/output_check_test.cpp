#include "check/output_check.hpp"

#include <cmath>
#include <utility>

#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

at::Tensor twos(at::ScalarType dtype) {
  return at::full({2, 3}, 2.0, at::TensorOptions(dtype));
}

const Contract two_outputs{.outputs = {{.name = "a"}, {.name = "b"}}};

OutputCheck check_outputs(const Contract& outputs_of, const std::vector<at::Tensor>& outputs,
                          const std::vector<at::Tensor>& references) {
  std::vector<PrecisionLimits> limits;
  for (const Output& output : outputs_of.outputs) limits.push_back(own_limits(output));
  return check_outputs(outputs_of, limits, outputs, references);
}

TEST(CheckOutputs, PassesWhatIsEqual) {
  const OutputCheck check = check_outputs(two_outputs, {twos(at::kFloat), twos(at::kFloat)},
                                          {twos(at::kDouble), twos(at::kDouble)});
  EXPECT_EQ(check.judgement.verdict, Verdict::pass) << check.judgement.reason;
  ASSERT_EQ(check.errors.size(), 2U);
  EXPECT_EQ(check.errors[1].name, "b");
  EXPECT_EQ(check.errors[1].max_abs, 0);
}

TEST(CheckOutputs, TellsErrorsAndWhatTheyAreHeldTo) {
  const std::vector<PrecisionLimits> limits{{}, {.atol = 0.25, .rms = RmsLimit{.most = 0.1}}};
  const OutputCheck check =
      check_outputs(two_outputs, limits, {twos(at::kFloat), twos(at::kFloat).add(0.125)},
                    {twos(at::kDouble), twos(at::kDouble)});
  EXPECT_EQ(check.judgement.verdict, Verdict::pass) << check.judgement.reason;
  EXPECT_FALSE(check.errors.at(0).max_abs_limit);
  EXPECT_FALSE(check.errors.at(0).rms_limit);
  EXPECT_EQ(check.errors.at(1).rms, 0.125);
  EXPECT_EQ(check.errors.at(1).max_abs_limit, 0.25);
  EXPECT_EQ(check.errors.at(1).rms_limit, 0.1);
  EXPECT_EQ(check.squares.at(1).elements, 6);
  EXPECT_EQ(check.squares.at(1).rms(), 0.125);
}

// KernelBench allows 1e-4 absolute and relative, so 3e-4 for 2.
TEST(CheckOutputs, TellsWhatKernelBenchWouldAllow) {
  const auto close_with = [&](double difference, const PrecisionLimits& limits) {
    const OutputCheck check = check_outputs(two_outputs, {limits, limits},
                                            {twos(at::kFloat), twos(at::kFloat).add(difference)},
                                            {twos(at::kDouble), twos(at::kDouble)});
    EXPECT_EQ(check.errors.at(0).kernelbench_close, true);
    return std::pair(check.judgement.passes(), check.errors.at(1).kernelbench_close == true);
  };
  EXPECT_EQ(close_with(0, {}), std::pair(true, true));
  EXPECT_EQ(close_with(2e-4, {}), std::pair(false, true));
  EXPECT_EQ(close_with(4e-4, {}), std::pair(false, false));
  EXPECT_EQ(close_with(4e-4, {.atol = 0.25}), std::pair(true, false));
  EXPECT_EQ(close_with(std::nan(""), {}), std::pair(false, false));
}

TEST(CheckOutputs, CountsThemFirst) {
  const OutputCheck check =
      check_outputs(two_outputs, {twos(at::kFloat)}, {twos(at::kDouble), twos(at::kDouble)});
  EXPECT_EQ(check.judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(check.judgement.reason,
            "The number of outputs does not match: got 1, expected 2 (a, b).");
}

TEST(CheckOutputs, TakesOneElementForAScalar) {
  const Contract loss{.outputs = {{.name = "loss"}}};
  const at::Tensor scalar = at::full({}, 2.0, at::TensorOptions(at::kDouble));
  const at::Tensor one = at::full({1}, 2.0, at::TensorOptions(at::kFloat));
  EXPECT_EQ(check_outputs(loss, {one}, {scalar}).judgement.verdict, Verdict::pass);
  EXPECT_EQ(check_outputs(loss, {one.add(1)}, {scalar}).judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(check_outputs(loss, {at::full({2}, 2.0)}, {scalar}).judgement.verdict,
            Verdict::wrong_result);
}

TEST(CheckOutputs, SaysWhichOneIsMissing) {
  const OutputCheck check = check_outputs(two_outputs, {twos(at::kFloat), at::Tensor()},
                                          {twos(at::kDouble), twos(at::kDouble)});
  EXPECT_EQ(check.judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(check.judgement.reason, "Output 'b' is None, expected a tensor.");
}

TEST(CheckOutputs, NamesEveryOneThatIsOff) {
  const OutputCheck check = check_outputs(two_outputs, {twos(at::kFloat).add(1), twos(at::kDouble)},
                                          {twos(at::kDouble), twos(at::kDouble)});
  EXPECT_EQ(check.judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(check.judgement.reason, HasSubstr("a"));
  EXPECT_THAT(check.judgement.reason, HasSubstr("dtype"));
  EXPECT_EQ(check.errors.at(0).max_abs, 1.0);
}

}  // namespace
}  // namespace robust_kbench
