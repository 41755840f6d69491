#include "tensor/stacked_task.hpp"

#include "tensor/generator.hpp"
#include "tensor/reference.hpp"
#include <robust_kbench/kink.hpp>

#include <ATen/ops/add.h>
#include <ATen/ops/linear.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::int64_t calls = 7;

// max(x w^T + b, 0).
Task linear_relu() {
  Task task;
  task.name = "linear_relu";
  task.weights = [](const Params&) {
    return std::vector<TensorSpec>{{.name = "w", .shape = {5, 3}}, {.name = "b", .shape = {5}}};
  };
  task.inputs = [](const Params&) {
    return std::vector<TensorSpec>{{.name = "x", .shape = {2, 3}}, absent("none")};
  };
  task.forward = [](const Tensors& tensors, const Params&) {
    return at::linear(tensors["x"], tensors["w"], tensors["b"]).relu();
  };
  task.near_kink = [](const Tensors& tensors, const Params&) {
    return near_zero(at::linear(tensors["x"], tensors["w"], tensors["b"]));
  };
  task.forward_contract.outputs = {{"y"}};
  task.backward_contract = Contract{.outputs = {{"x"}, {"w"}, {"b"}}};
  return task;
}

// Compares results of the stacked task with those of each of its calls alone.
void expect_same_as_alone(const Task& task, Direction direction) {
  const Task stacked = stacked_task(task, calls);
  const Tensors tensors = make_tensors({stacked, direction, {}}, 1);
  const std::vector<at::Tensor> results = reference({stacked, direction, {}}, tensors);
  for (std::int64_t call = 0; call < calls; ++call) {
    const auto alone = reference({task, direction, {}}, call_of(tensors, call));
    ASSERT_EQ(results.size(), alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_TRUE(results[i].select(0, call).allclose(alone[i], 1e-12, 1e-12)) << i;
    }
  }
}

TEST(StackedTask, GivesTheOutputsOfEachCall) {
  expect_same_as_alone(linear_relu(), Direction::forward);
}

TEST(StackedTask, GivesTheGradientsOfEachCall) {
  expect_same_as_alone(linear_relu(), Direction::backward);
}

TEST(StackedTask, DrawsEveryTensorOfEveryCallAnew) {
  const Task stacked = stacked_task(linear_relu(), calls);
  const Tensors tensors = make_tensors({stacked, Direction::forward, {}}, 1);
  EXPECT_EQ(tensors["w"].sizes(), at::IntArrayRef({calls, 5, 3}));
  EXPECT_FALSE(call_of(tensors, 0)["w"].equal(call_of(tensors, 1)["w"]));
  EXPECT_FALSE(call_of(tensors, 0)["none"].defined());
}

TEST(StackedTask, CallsAFunctionThatLooksAtValuesOneByOne) {
  Task task = linear_relu();
  task.forward = [](const Tensors& tensors, const Params&) {
    const auto first = tensors["x"].select(0, 0).select(0, 0).item<double>();
    return at::linear(tensors["x"], tensors["w"], tensors["b"]).mul(first < 0 ? -1 : 1);
  };
  expect_same_as_alone(task, Direction::forward);
  expect_same_as_alone(task, Direction::backward);
}

TEST(StackedTask, CallsAFunctionOneByOneThatGivesSomethingElseStacked) {
  Task task = linear_relu();
  int uses = 0;
  task.forward = [&uses](const Tensors& tensors, const Params&) {
    return at::add(tensors["x"], tensors["w"].sum()).mul(uses++ == 0 ? 2 : 1);
  };
  expect_same_as_alone(task, Direction::forward);
}

}  // namespace
}  // namespace robust_kbench
