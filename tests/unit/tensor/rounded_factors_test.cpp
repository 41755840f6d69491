#include "tensor/rounded_factors.hpp"

#include <ATen/ops/conv2d.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

namespace robust_kbench {
namespace {

// A float32 between numbers of 11 and of 8 significant bits.
constexpr double above_one = 1.0 + 0x1p-9 + 0x1p-12;
constexpr double of_tf32 = 1.0 + 0x1p-9;
constexpr double of_bfloat16 = 1.0;

at::Tensor factor() {
  return at::full({1, 1}, above_one, at::kFloat);
}

double number(const at::Tensor& tensor) {
  return tensor.item<double>();
}

TEST(RoundedFactors, RoundsBothFactorsOfAProduct) {
  {
    const RoundedFactors rounded(Rounding::tf32);
    EXPECT_FALSE(rounded.any());
    EXPECT_EQ(number(at::mm(factor(), at::ones({1, 1}))), of_tf32);
    EXPECT_EQ(number(at::mm(at::ones({1, 1}), factor())), of_tf32);
    EXPECT_TRUE(rounded.any());
  }
  const RoundedFactors rounded(Rounding::bfloat16);
  EXPECT_EQ(number(at::mm(factor(), at::ones({1, 1}))), of_bfloat16);
}

TEST(RoundedFactors, EndsWithItsScope) {
  { const RoundedFactors rounded(Rounding::bfloat16); }
  EXPECT_EQ(number(at::mm(factor(), at::ones({1, 1}))), above_one);
}

TEST(RoundedFactors, LeavesWhatIsNoFactor) {
  const RoundedFactors rounded(Rounding::bfloat16);
  EXPECT_EQ(number(at::mul(factor(), at::ones({1, 1}))), above_one);
  EXPECT_EQ(number(at::linear(at::ones({1, 1}), at::zeros({1, 1}), factor().view({1}))), above_one);
  const at::Tensor wide = factor().to(at::kDouble);
  EXPECT_EQ(number(at::mm(wide, at::ones_like(wide))), above_one);
}

TEST(RoundedFactors, FindsProductsInsideOtherOperators) {
  const RoundedFactors rounded(Rounding::tf32);
  const at::Tensor one = at::ones({1, 1, 1, 1});
  EXPECT_EQ(number(at::linear(factor(), at::ones({1, 1}))), of_tf32);
  EXPECT_EQ(number(at::conv2d(factor().view({1, 1, 1, 1}), one)), of_tf32);
  EXPECT_EQ(number(at::scaled_dot_product_attention(one, one, factor().view({1, 1, 1, 1}))),
            of_tf32);
}

// The gradient is a product of rounded factors and is not itself rounded.
TEST(RoundedFactors, RoundsFactorsOfAutogradsProducts) {
  const RoundedFactors rounded(Rounding::tf32);
  const at::Tensor x = at::ones({1, 1}).set_requires_grad(true);
  const at::Tensor w = factor();
  const at::Tensor y = at::mm(at::mul(x, w), w);
  const at::Tensor gradient = torch::autograd::grad({y}, {x}, {factor()}).front();
  EXPECT_FLOAT_EQ(static_cast<float>(number(gradient)),
                  static_cast<float>(of_tf32 * of_tf32 * above_one));
}

}  // namespace
}  // namespace robust_kbench
