#include <cmath>
#include <vector>

#include <robust_kbench/kink.hpp>

#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::vector<bool> mask_values(const at::Tensor& mask) {
  const at::Tensor dense = mask.contiguous();
  const bool* first = dense.const_data_ptr<bool>();
  return std::vector<bool>(first, first + dense.numel());
}

TEST(NearZero, IsOfEitherSign) {
  const at::Tensor x = at::tensor(std::vector<double>{0, 9e-5, -9e-5, 2.3e-4, -2.2});
  EXPECT_EQ(mask_values(near_zero(x)), (std::vector<bool>{true, true, true, false, false}));
}

TEST(NearZero, FollowsTheMagnitudeOfWhatIsDecided) {
  const at::Tensor x = at::tensor(std::vector<double>{8e-5, 1.5e-4, 1, 1.4});
  for (const double scale : {1e-3, 1.0, 1e3}) {
    EXPECT_EQ(mask_values(near_zero(x.mul(scale))), (std::vector<bool>{true, false, false, false}));
  }
}

TEST(NearZero, LeavesOutWhatIsNotFinite) {
  const at::Tensor x = at::tensor(std::vector<double>{5e-5, 1, NAN, INFINITY});
  EXPECT_EQ(mask_values(near_zero(x)), (std::vector<bool>{true, false, false, false}));
}

TEST(NearZero, IsFartherWhereFloat32ErrsMore) {
  const at::Tensor x = at::tensor(std::vector<double>{5e-3, 2e-2, 1, 1});
  const at::Tensor in_float32 = x.add(1e-4).to(at::kFloat);
  EXPECT_EQ(mask_values(near_zero(x, in_float32)), (std::vector<bool>{true, false, false, false}));
}

// One large row would make all others count as near.
TEST(NearZero, IsCloserInRowsThatAreSmaller) {
  const at::Tensor row =
      at::cat({at::tensor(std::vector<double>{8e-5, 2e-4}), at::ones({14}, at::kDouble)});
  const at::Tensor x = at::stack({row, row.mul(1e4)});
  const at::Tensor near = near_zero(x);
  EXPECT_TRUE(near.select(1, 0).all().item<bool>());
  EXPECT_EQ(near.sum().item<std::int64_t>(), 2);
}

TEST(NearPoolingTie, ComparesTheTwoGreatestOfEachWindow) {
  // There are four windows. The greatest are equal in a row, equal in a column, alone above a tie
  // of the least, and nearly equal.
  const at::Tensor x = at::tensor(std::vector<double>{3, 3, 0, 5, 1, 1, 2, 0,  //
                                                      0, 1, 1, 5, 2, 4, 0, 2.0002})
                           .view({1, 1, 2, 8});
  EXPECT_EQ(mask_values(near_pooling_tie(x)), (std::vector<bool>{true, true, false, true}));
}

TEST(GreatestOfWindows, IsThatOfPooling) {
  const at::Tensor x = at::tensor(std::vector<double>{1, 2, 9,  //
                                                      4, 3, 9,  //
                                                      9, 9, 9})
                           .view({1, 3, 3});
  EXPECT_EQ(greatest_of_windows(x).item<double>(), 4);
}

TEST(NearPoolingTie, LeavesOutTheLastOddRowAndColumn) {
  const at::Tensor x = at::tensor(std::vector<double>{1, 2, 2,  //
                                                      3, 4, 4,  //
                                                      4, 4, 4})
                           .view({1, 3, 3});
  EXPECT_EQ(near_pooling_tie(x).sizes(), c10::IntArrayRef({1, 1, 1}));
  EXPECT_EQ(mask_values(near_pooling_tie(x)), (std::vector<bool>{false}));
}

}  // namespace
}  // namespace robust_kbench
