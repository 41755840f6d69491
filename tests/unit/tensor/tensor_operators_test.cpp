#include <robust_kbench/task.hpp>

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(TensorOperators, ComeWithTheHeaderOfATask) {
  const at::Tensor x = at::full({1}, 3.0);
  const at::Tensor y = (1 + x) / 2 * x - x / (2 - x);
  EXPECT_EQ(y.item<float>(), 9);
  EXPECT_TRUE((-x < y).all().item<bool>());
}

}  // namespace
}  // namespace robust_kbench
