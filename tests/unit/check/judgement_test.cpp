#include "check/batch.hpp"

#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

at::Tensor twos(at::ScalarType dtype) {
  return at::full({2, 3}, 2.0, at::TensorOptions(dtype));
}

const Contract contract{.outputs = {{.name = "a"}, {.name = "b"}}};

TEST(JudgeOutputs, PassesWhatIsEqual) {
  const Judgement judgement = judge_outputs(contract, {twos(at::kFloat), twos(at::kFloat)},
                                            {twos(at::kDouble), twos(at::kDouble)});
  EXPECT_EQ(judgement.verdict, Verdict::pass) << judgement.message;
  ASSERT_EQ(judgement.errors.size(), 2U);
  EXPECT_EQ(judgement.errors[1].name, "b");
  EXPECT_EQ(judgement.errors[1].max_abs, 0);
}

TEST(JudgeOutputs, CountsThemFirst) {
  const Judgement judgement =
      judge_outputs(contract, {twos(at::kFloat)}, {twos(at::kDouble), twos(at::kDouble)});
  EXPECT_EQ(judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(judgement.message, "The number of outputs does not match: got 1, expected 2 (a, b).");
}

TEST(JudgeOutputs, TakesOneElementForAScalar) {
  const Contract loss{.outputs = {{.name = "loss"}}};
  const at::Tensor scalar = at::full({}, 2.0, at::TensorOptions(at::kDouble));
  const at::Tensor one = at::full({1}, 2.0, at::TensorOptions(at::kFloat));
  EXPECT_EQ(judge_outputs(loss, {one}, {scalar}).verdict, Verdict::pass);
  EXPECT_EQ(judge_outputs(loss, {one.add(1)}, {scalar}).verdict, Verdict::wrong_result);
  EXPECT_EQ(judge_outputs(loss, {at::full({2}, 2.0)}, {scalar}).verdict, Verdict::wrong_result);
}

TEST(JudgeOutputs, SaysWhichOneIsMissing) {
  const Judgement judgement = judge_outputs(contract, {twos(at::kFloat), at::Tensor()},
                                            {twos(at::kDouble), twos(at::kDouble)});
  EXPECT_EQ(judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(judgement.message, "Output 'b' is None, expected a tensor.");
}

TEST(JudgeOutputs, NamesEveryOneThatIsOff) {
  const Judgement judgement = judge_outputs(contract, {twos(at::kFloat).add(1), twos(at::kDouble)},
                                            {twos(at::kDouble), twos(at::kDouble)});
  EXPECT_EQ(judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(judgement.message, HasSubstr("a"));
  EXPECT_THAT(judgement.message, HasSubstr("dtype"));
  EXPECT_EQ(judgement.errors.at(0).max_abs, 1.0);
}

}  // namespace
}  // namespace robust_kbench
