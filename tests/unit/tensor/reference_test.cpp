#include "tensor/reference.hpp"

#include "core/error.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

at::Tensor of_floats(std::vector<float> values) {
  return at::tensor(values);
}
at::Tensor of_doubles(std::vector<double> values) {
  return at::tensor(values);
}

// y = x^2 w + b, of which the contract asks the gradients of w, then x.
Task square_task() {
  Task task{.name = "square"};
  task.forward = [](const Tensors& tensors, const Params&) {
    return tensors["x"].pow(2).mul(tensors["w"]).add(tensors["b"]);
  };
  task.forward_contract.outputs = {{"y"}};
  task.backward_contract = Contract{.outputs = {{"w"}, {"x"}}};
  return task;
}

Tensors call() {
  Tensors tensors;
  tensors.set("x", of_floats({1, 2, 3}));
  tensors.set("w", of_floats({4, 5, 6}));
  tensors.set("b", of_floats({7, 8, 9}));
  tensors.set("grad_output", of_floats({1, 10, 100}));
  return tensors;
}

TEST(Reference, ComputesForwardInFloat64) {
  const auto outputs = reference({square_task(), Direction::forward, {}}, call());
  ASSERT_EQ(outputs.size(), 1);
  EXPECT_TRUE(at::equal(outputs[0], of_doubles({11, 28, 63})));
}

TEST(Reference, ReturnsGradientsInTheOrderOfTheContract) {
  const auto outputs = reference({square_task(), Direction::backward, {}}, call());
  ASSERT_EQ(outputs.size(), 2);
  EXPECT_TRUE(at::equal(outputs[0], of_doubles({1, 40, 900})));
  EXPECT_TRUE(at::equal(outputs[1], of_doubles({8, 200, 3600})));
}

TEST(Reference, KeepsWhatFloat32WouldRoundAway) {
  Tensors tensors = call();
  tensors.set("b", of_floats({1e-8F, 1e-8F, 1e-8F}));
  const auto exact = reference({square_task(), Direction::forward, {}}, tensors);
  const auto rounded = eager({square_task(), Direction::forward, {}}, tensors);
  EXPECT_GT(exact[0][0].item<double>(), 4.0);
  EXPECT_EQ(rounded[0][0].item<double>(), 4.0);
}

TEST(Reference, LeavesTheCallersTensorsAlone) {
  const Tensors tensors = call();
  eager({square_task(), Direction::backward, {}}, tensors);
  EXPECT_FALSE(tensors["x"].requires_grad());
  EXPECT_FALSE(tensors["x"].grad().defined());
}

TEST(Reference, GivesZeroForATensorThatDoesNotMatter) {
  Task task = square_task();
  task.forward = [](const Tensors& tensors, const Params&) { return tensors["x"].mul(2); };
  const auto outputs = reference({task, Direction::backward, {}}, call());
  EXPECT_TRUE(at::equal(outputs[0], of_doubles({0, 0, 0})));
}

// A task with three outputs: the sum, the greatest element and its index.
Task summary_task() {
  Task task{.name = "summary"};
  task.forward = [](const Tensors& tensors, const Params&) {
    const auto [greatest, place] = tensors["x"].max(0);
    return std::vector<at::Tensor>{tensors["x"].sum(), greatest, place.to(at::kInt)};
  };
  task.forward_contract.outputs = {{"sum"}, {"greatest"}, {.name = "place", .dtype = at::kInt}};
  task.backward_contract = Contract{.outputs = {{"x"}}};
  return task;
}

Tensors summary_call() {
  Tensors tensors = call();
  tensors.set("grad_sum", of_floats({10}).squeeze());
  tensors.set("grad_greatest", of_floats({5}).squeeze());
  return tensors;
}

TEST(Reference, ReturnsSeveralOutputsInTheirOrder) {
  const auto outputs = reference({summary_task(), Direction::forward, {}}, summary_call());
  ASSERT_EQ(outputs.size(), 3);
  EXPECT_EQ(outputs[0].item<double>(), 6);
  EXPECT_EQ(outputs[1].scalar_type(), at::kDouble);
  EXPECT_EQ(outputs[1].item<double>(), 3);
  EXPECT_EQ(outputs[2].scalar_type(), at::kInt);
  EXPECT_EQ(outputs[2].item<int>(), 2);
}

TEST(Reference, GoesBackThroughSeveralOutputs) {
  const auto gradients = reference({summary_task(), Direction::backward, {}}, summary_call());
  ASSERT_EQ(gradients.size(), 1);
  EXPECT_TRUE(at::equal(gradients[0], of_doubles({10, 10, 15})));
}

void expect_refused(const Task& task, const std::string& message) {
  for (const auto compute : {reference, eager}) {
    try {
      compute({task, Direction::forward, {}}, summary_call());
      ADD_FAILURE() << "no UserError";
    } catch (const UserError& error) {
      EXPECT_EQ(error.what(), message);
    }
  }
}

TEST(Reference, RefusesOtherOutputsThanTheContracts) {
  Task task = summary_task();
  task.forward_contract.outputs.pop_back();
  expect_refused(task,
                 "task 'summary': forward returned 3 tensors instead of 2 (sum, greatest); give it "
                 "as many as the outputs of forward_contract need");
  task.forward_contract.outputs.push_back({"place"});
  expect_refused(task,
                 "task 'summary': output 'place' is int32, and the contract says float32; set "
                 "Output::dtype, or convert it in forward");
}

TEST(Eager, RefusesAnotherDtypeThanTheContracts) {
  Task task = square_task();
  task.forward_contract.outputs[0].dtype = at::kHalf;
  EXPECT_EQ(reference({task, Direction::forward, {}}, call()).size(), 1);
  EXPECT_THROW(eager({task, Direction::forward, {}}, call()), UserError);
}

TEST(Reference, IsContiguousWhereTorchIsNot) {
  Task task = square_task();
  task.forward = [](const Tensors& tensors, const Params&) {
    return tensors["x"].view({3, 1}).mul(tensors["w"]).t();
  };
  EXPECT_TRUE(reference({task, Direction::forward, {}}, call())[0].is_contiguous());
}

TEST(Eager, ComputesInTheTensorsOwnDtypes) {
  Tensors tensors = as_dtype(call(), at::kHalf);
  Task task = square_task();
  task.forward_contract.outputs[0].dtype = at::kHalf;
  for (Output& output : task.backward_contract->outputs) output.dtype = at::kHalf;
  for (const auto direction : {Direction::forward, Direction::backward}) {
    for (const at::Tensor& output : eager({task, direction, {}}, tensors)) {
      EXPECT_EQ(output.scalar_type(), at::kHalf);
    }
    for (const at::Tensor& output : reference({task, direction, {}}, tensors)) {
      EXPECT_EQ(output.scalar_type(), at::kDouble);
    }
  }
}

TEST(Eager, ComputesInFloat32) {
  for (const auto direction : {Direction::forward, Direction::backward}) {
    for (const at::Tensor& output : eager({square_task(), direction, {}}, call())) {
      EXPECT_EQ(output.scalar_type(), at::kFloat);
    }
  }
}

TEST(AsDtype, ConvertsFloatingTensorsOnly) {
  Tensors tensors = call();
  tensors.set("targets", at::tensor(std::vector<std::int64_t>{1, 2}));
  tensors.set("absent", at::Tensor());
  const Tensors converted = as_dtype(tensors, at::kDouble);
  EXPECT_EQ(converted["x"].scalar_type(), at::kDouble);
  EXPECT_EQ(converted["targets"].scalar_type(), at::kLong);
  EXPECT_FALSE(converted["absent"].defined());
}

}  // namespace
}  // namespace robust_kbench
