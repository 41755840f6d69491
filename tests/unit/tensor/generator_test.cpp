#include "tensor/generator.hpp"

#include "core/error.hpp"
#include "core/seed.hpp"

#include <ATen/ops/equal.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

Contract contract_of(std::vector<std::string> outputs) {
  Contract contract;
  for (std::string& name : outputs) contract.outputs.push_back({std::move(name)});
  return contract;
}

// y = x * w, with a kink where |x| is small.
Task product_task() {
  return {.name = "product",
          .defaults = {{"size", std::int64_t{1000}}},
          .weights =
              [](const Params&) {
                return std::vector<TensorSpec>{{"w", {1}}};
              },
          .inputs =
              [](const Params& params) {
                return std::vector<TensorSpec>{{"x", {params.integer("size")}}, absent("mask")};
              },
          .forward = [](const Tensors& tensors,
                        const Params&) { return tensors["x"].mul(tensors["w"]); },
          .forward_contract = contract_of({"y"}),
          .backward_contract = contract_of({"x"})};
}

TEST(Generate, MakesFloat32AndInt64) {
  EXPECT_EQ(generate(TensorSpec{"x", {2, 3}}, 1).scalar_type(), at::kFloat);
  EXPECT_EQ(generate(TensorSpec{"x", {2, 3}}, 1).sizes(), c10::IntArrayRef({2, 3}));
  EXPECT_EQ(generate(TensorSpec{"t", {5}, integers(0, 3)}, 1).scalar_type(), at::kLong);
}

TEST(Generate, FillsConstants) {
  EXPECT_EQ(generate(TensorSpec{"b", {3}, constant(2.5)}, 1).sum().item<float>(), 7.5F);
}

TEST(Generate, LeavesAnAbsentTensorUndefined) {
  EXPECT_FALSE(generate(absent("bias"), 1).defined());
}

TEST(MakeTensors, NamesEveryTensorOfTheCall) {
  const Task task = product_task();
  const Tensors forward = make_tensors(task, false, task.defaults, 1);
  EXPECT_TRUE(forward["x"].defined());
  EXPECT_TRUE(forward["w"].defined());
  EXPECT_FALSE(forward["mask"].defined());
  EXPECT_EQ(forward.all().count("grad_output"), 0);
  EXPECT_EQ(make_tensors(task, true, task.defaults, 1)["grad_output"].sizes(),
            c10::IntArrayRef({1000}));
}

TEST(MakeTensors, TheSeedAloneDecidesTheContent) {
  const Task task = product_task();
  const at::Tensor x = make_tensors(task, false, task.defaults, 1)["x"];
  EXPECT_TRUE(at::equal(x, make_tensors(task, true, task.defaults, 1)["x"]));
  EXPECT_FALSE(at::equal(x, make_tensors(task, false, task.defaults, 2)["x"]));
}

TEST(MakeTensors, DrawsEachTensorFromItsOwnKey) {
  const Task task = product_task();
  const Tensors tensors = make_tensors(task, false, task.defaults, 3);
  EXPECT_TRUE(
      at::equal(tensors["x"], generate(TensorSpec{"x", {1000}}, tensor_key("product", "x", 3))));
}

TEST(MakeTensors, HoldsGradientsBackNearAKink) {
  Task task = product_task();
  task.near_kink = [](const Tensors& tensors, const Params&) {
    EXPECT_EQ(tensors["x"].scalar_type(), at::kDouble);
    return tensors["x"].abs().lt(0.5);
  };
  const Tensors tensors = make_tensors(task, true, task.defaults, 1);
  const at::Tensor near = tensors["x"].to(at::kDouble).abs().lt(0.5);
  EXPECT_TRUE(at::equal(tensors["grad_output"].eq(0), near));
  EXPECT_GT(near.sum().item<std::int64_t>(), 300);
}

TEST(MakeTensors, TakesTheInputsOfTheDirection) {
  Task task = product_task();
  task.backward_contract->inputs = [](const Params&) {
    return std::vector<TensorSpec>{{"x", {2, 2}}};
  };
  EXPECT_EQ(make_tensors(task, false, task.defaults, 1)["x"].dim(), 1);
  EXPECT_EQ(make_tensors(task, true, task.defaults, 1)["x"].dim(), 2);
}

TEST(MakeTensors, RefusesADirectionThatTheTaskLacks) {
  Task task = product_task();
  task.backward_contract.reset();
  EXPECT_THROW(make_tensors(task, true, task.defaults, 1), UserError);
}

TEST(Tensors, NameTheKnownOnesWhenAskedForAnother) {
  const Task task = product_task();
  try {
    make_tensors(task, false, task.defaults, 1)["y"];
    FAIL() << "no UserError";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'y' is none of this call; known: mask, w, x"));
  }
}

}  // namespace
}  // namespace robust_kbench
