#include <vector>

#include <robust_kbench/kink.hpp>

#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

std::vector<bool> values_of(const at::Tensor& mask) {
  const at::Tensor dense = mask.contiguous();
  const bool* first = dense.const_data_ptr<bool>();
  return std::vector<bool>(first, first + dense.numel());
}

TEST(NearZero, IsOfEitherSign) {
  const at::Tensor x = at::tensor(std::vector<double>{0, 9e-5, -9e-5, 2e-4, -1});
  EXPECT_EQ(values_of(near_zero(x)), (std::vector<bool>{true, true, true, false, false}));
}

TEST(NearPoolingTie, ComparesTheTwoGreatestOfEachWindow) {
  // There are four windows. The greatest are equal in a row, equal in a column, alone above a tie
  // of the least, and nearly equal.
  const at::Tensor x = at::tensor(std::vector<double>{3, 3, 0, 5, 1, 1, 2, 0,  //
                                                      0, 1, 1, 5, 2, 4, 0, 2.00009})
                           .view({1, 1, 2, 8});
  EXPECT_EQ(values_of(near_pooling_tie(x)), (std::vector<bool>{true, true, false, true}));
}

TEST(NearPoolingTie, LeavesOutTheLastOddRowAndColumn) {
  const at::Tensor x = at::tensor(std::vector<double>{1, 2, 2,  //
                                                      3, 4, 4,  //
                                                      4, 4, 4})
                           .view({1, 3, 3});
  EXPECT_EQ(near_pooling_tie(x).sizes(), c10::IntArrayRef({1, 1, 1}));
  EXPECT_EQ(values_of(near_pooling_tie(x)), (std::vector<bool>{false}));
}

}  // namespace
}  // namespace robust_kbench
