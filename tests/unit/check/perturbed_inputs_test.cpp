#include "check/perturbed_inputs.hpp"

#include <algorithm>

#include "adding_task.hpp"
#include "tensor/generator.hpp"

#include <ATen/ops/all.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/masked_select.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/sum.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::uint64_t seed = 7;

std::int64_t changed_elements(const at::Tensor& a, const at::Tensor& b) {
  return at::ne(a, b).sum().item<std::int64_t>();
}

TEST(Twin, DiffersInAFewElementsOfOneTensor) {
  const Task task = adding_task();
  const Params params{{"rows", std::int64_t{1000}}};
  const Tensors own = make_tensors({task, Direction::forward, params}, seed);
  bool changed_w = false;
  bool changed_x = false;
  for (std::uint64_t key = 100; key < 120; ++key) {
    const Tensors perturbed = perturbed_inputs({task, Direction::forward, params}, seed, key);
    const std::int64_t in_w = changed_elements(own["w"], perturbed["w"]);
    const std::int64_t in_x = changed_elements(own["x"], perturbed["x"]);
    EXPECT_EQ(std::min(in_w, in_x), 0);
    EXPECT_GE(in_w + in_x, 1);
    EXPECT_LE(in_x, 5000 / 256 + 1);
    EXPECT_LE(in_w, 1);
    changed_w |= in_w > 0;
    changed_x |= in_x > 0;
  }
  EXPECT_TRUE(changed_w);
  EXPECT_TRUE(changed_x);
}

TEST(Twin, NearAKinkDiffersInTheGradientAloneAndNotWhereItIsZero) {
  Task task = adding_task();
  task.near_kink = [](const Tensors& tensors, const Params&) { return at::gt(tensors["x"], 0); };
  task.backward_contract = task.forward_contract;
  const Params params{{"rows", std::int64_t{1000}}};
  const Tensors own = make_tensors({task, Direction::backward, params}, seed);
  for (std::uint64_t key = 100; key < 120; ++key) {
    const Tensors perturbed = perturbed_inputs({task, Direction::backward, params}, seed, key);
    EXPECT_EQ(changed_elements(own["x"], perturbed["x"]), 0);
    EXPECT_EQ(changed_elements(own["w"], perturbed["w"]), 0);
    EXPECT_GE(changed_elements(own["grad_output"], perturbed["grad_output"]), 1);
    EXPECT_TRUE(
        perturbed["grad_output"].masked_select(at::gt(own["x"], 0)).eq(0).all().item<bool>());
  }
}

}  // namespace
}  // namespace robust_kbench
