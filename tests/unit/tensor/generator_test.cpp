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

TEST(Generate, MakesTheDtypeOfTheSpec) {
  for (const at::ScalarType dtype : {at::kDouble, at::kHalf, at::kBFloat16}) {
    const at::Tensor numbers =
        generate(TensorSpec{.name = "x", .shape = {1000}, .dtype = dtype}, 2);
    EXPECT_EQ(numbers.scalar_type(), dtype);
    const at::Tensor floats = generate(TensorSpec{"x", {1000}}, 2);
    EXPECT_TRUE(at::equal(numbers.to(at::kFloat).to(at::kHalf), floats.to(dtype).to(at::kHalf)));
  }
  for (const at::ScalarType dtype :
       {at::kLong, at::kInt, at::kShort, at::kChar, at::kByte, at::kBool, at::kHalf}) {
    const TensorSpec spec{"i", {1000}, integers(0, 2), true, dtype};
    const at::Tensor numbers = generate(spec, 1);
    EXPECT_EQ(numbers.scalar_type(), dtype);
    EXPECT_TRUE(
        at::equal(numbers.to(at::kLong), generate(TensorSpec{"i", {1000}, integers(0, 2)}, 1)));
  }
  EXPECT_EQ(generate(TensorSpec{"i", {3}, constant(7), true, at::kInt}, 1).sum().item<int>(), 21);
}

TEST(Generate, UsesAllBitsOfFloat64) {
  const at::Tensor numbers =
      generate(TensorSpec{"x", {1000}, uniform(-1.0, 1.0), true, at::kDouble}, 1);
  EXPECT_FALSE(numbers.eq(numbers.to(at::kFloat)).any().item<bool>());
  EXPECT_GE(numbers.min().item<double>(), -1.0);
  EXPECT_LT(numbers.max().item<double>(), 1.0);
}

struct Refused {
  TensorSpec spec;
  const char* message;
};

class GenerateRefuses : public testing::TestWithParam<Refused> {};

TEST_P(GenerateRefuses, WhatADtypeCannotHold) {
  try {
    generate(GetParam().spec, 1);
    FAIL() << "no UserError";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Dtypes, GenerateRefuses,
    testing::Values(
        Refused{{"x", {3}, normal(), true, at::kInt},
                "tensor 'x': normal() and uniform() draw no int32; use integers(low, high), or "
                "give it a floating dtype"},
        Refused{{"x", {3}, constant(0.5), true, at::kBool},
                "tensor 'x': bool cannot hold the constant 0.5; give it an integer or a floating "
                "dtype"},
        Refused{{"x", {3}, constant(1, 2), true, at::kInt},
                "tensor 'x': a spread of 2 draws no int32; leave it out, or give the tensor a "
                "floating dtype"},
        Refused{{"x", {3}, integers(-1, 3), true, at::kByte},
                "tensor 'x': uint8 holds each integer from 0 to 255, and -1 to 2 are to be drawn; "
                "give it another dtype or other limits"},
        Refused{{"x", {3}, integers(0, 4096), true, at::kHalf},
                "tensor 'x': float16 holds each integer from -2048 to 2048, and 0 to 4095 are to "
                "be drawn; give it another dtype or other limits"},
        Refused{{"x", {3}, normal(), true, at::kComplexFloat},
                "tensor 'x': no kernel can be handed dtype ComplexFloat; known: float32, float64, "
                "float16, bfloat16, int64, int32, int16, int8, uint8, bool"}));

TEST(Generate, FillsConstants) {
  EXPECT_EQ(generate(TensorSpec{"b", {3}, constant(2.5)}, 1).sum().item<float>(), 7.5F);
}

TEST(Generate, LeavesAnAbsentTensorUndefined) {
  EXPECT_FALSE(generate(absent("bias"), 1).defined());
}

TEST(MakeTensors, NamesEveryTensorOfTheCall) {
  const Task task = product_task();
  const Tensors forward = make_tensors({task, Direction::forward, task.defaults}, 1);
  EXPECT_TRUE(forward["x"].defined());
  EXPECT_TRUE(forward["w"].defined());
  EXPECT_FALSE(forward["mask"].defined());
  EXPECT_EQ(forward.all().count("grad_output"), 0);
  EXPECT_EQ(make_tensors({task, Direction::backward, task.defaults}, 1)["grad_output"].sizes(),
            c10::IntArrayRef({1000}));
}

TEST(MakeTensors, TheSeedAloneDecidesTheContent) {
  const Task task = product_task();
  const at::Tensor x = make_tensors({task, Direction::forward, task.defaults}, 1)["x"];
  EXPECT_TRUE(at::equal(x, make_tensors({task, Direction::backward, task.defaults}, 1)["x"]));
  EXPECT_FALSE(at::equal(x, make_tensors({task, Direction::forward, task.defaults}, 2)["x"]));
}

TEST(MakeTensors, DrawsEachTensorFromItsOwnKey) {
  const Task task = product_task();
  const Tensors tensors = make_tensors({task, Direction::forward, task.defaults}, 3);
  EXPECT_TRUE(
      at::equal(tensors["x"], generate(TensorSpec{"x", {1000}}, tensor_key("product", "x", 3))));
}

TEST(MakeTensors, HoldsGradientsBackNearAKink) {
  Task task = product_task();
  task.near_kink = [](const Tensors& tensors, const Params&) {
    EXPECT_EQ(tensors["x"].scalar_type(), at::kDouble);
    return tensors["x"].abs().lt(0.5);
  };
  const Tensors tensors = make_tensors({task, Direction::backward, task.defaults}, 1);
  const at::Tensor near = tensors["x"].to(at::kDouble).abs().lt(0.5);
  EXPECT_TRUE(at::equal(tensors["grad_output"].eq(0), near));
  EXPECT_GT(near.sum().item<std::int64_t>(), 300);
}

// The outputs are the product, its sign and its square.
Task task_of_three_outputs() {
  Task task = product_task();
  task.forward = [](const Tensors& tensors, const Params&) {
    const at::Tensor product = tensors["x"].mul(tensors["w"]);
    return std::vector<at::Tensor>{product, product.sign().to(at::kInt), product.square()};
  };
  task.forward_contract.outputs = {{"y"}, {.name = "sign", .dtype = at::kInt}, {.name = "square"}};
  return task;
}

TEST(MakeTensors, MakesAnIncomingGradientForEachFloatingOutput) {
  const Task task = task_of_three_outputs();
  const Tensors tensors = make_tensors({task, Direction::backward, task.defaults}, 1);
  EXPECT_EQ(tensors.all().count("grad_output"), 0);
  EXPECT_EQ(tensors.all().count("grad_sign"), 0);
  EXPECT_EQ(tensors["grad_y"].sizes(), c10::IntArrayRef({1000}));
  EXPECT_EQ(tensors["grad_square"].sizes(), c10::IntArrayRef({1000}));
  EXPECT_FALSE(at::equal(tensors["grad_y"], tensors["grad_square"]));
}

TEST(Generate, WritesTheSameNumbersOverATensor) {
  const TensorSpec float32{"x", {3, 200}};
  const TensorSpec float64{.name = "x", .shape = {3, 200}, .dtype = at::kDouble};
  const TensorSpec int64{"x", {3, 200}, integers(0, 1000)};
  const TensorSpec int32{
      .name = "x", .shape = {3, 200}, .distribution = integers(0, 9), .dtype = at::kInt};
  for (const TensorSpec& spec : {float32, float64, int64, int32}) {
    const at::Tensor made = generate(spec, 1);
    const at::Tensor over = generate(spec, 2);
    EXPECT_FALSE(at::equal(over, made));
    generate_into(spec, 1, over);
    EXPECT_TRUE(at::equal(over, made));
  }
}

TEST(MakeTensors, DrawsVariedConstantsFromTheirSpread) {
  Task task = product_task();
  task.weights = [](const Params&) {
    return std::vector<TensorSpec>{{"w", {100}, constant(2.0, 0.5)}, {"b", {100}, constant(3.0)}};
  };
  const Workload workload{task, Direction::forward, task.defaults};
  const Tensors typical = make_tensors(workload, 1);
  EXPECT_TRUE(typical["w"].eq(2.0).all().item<bool>());
  const Tensors varied = make_tensors(workload, 1, c10::kCPU, Constants::varied);
  EXPECT_TRUE(varied["w"].ge(1.5).logical_and(varied["w"].lt(2.5)).all().item<bool>());
  EXPECT_GT(varied["w"].std().item<float>(), 0.2F);
  EXPECT_TRUE(varied["b"].eq(3.0).all().item<bool>());
  EXPECT_TRUE(at::equal(varied["x"], typical["x"]));
}

TEST(MakeTensors, HoldsBackTheGradientsThatHaveAKink) {
  Task task = task_of_three_outputs();
  task.near_kink = [](const Tensors& tensors, const Params&) {
    return std::vector<at::Tensor>{tensors["x"].abs().lt(0.5), at::Tensor()};
  };
  const Tensors tensors = make_tensors({task, Direction::backward, task.defaults}, 1);
  const at::Tensor near = tensors["x"].abs().lt(0.5);
  EXPECT_TRUE(at::equal(tensors["grad_y"].eq(0), near));
  EXPECT_FALSE(tensors["grad_square"].eq(0).any().item<bool>());
  task.near_kink = [](const Tensors& tensors, const Params&) { return tensors["x"].lt(0); };
  EXPECT_THROW(make_tensors({task, Direction::backward, task.defaults}, 1), UserError);
}

TEST(MakeTensors, MakesGradientsOfTheOutputsDtype) {
  Task task = product_task();
  task.forward = [](const Tensors& tensors, const Params&) { return tensors["x"].to(at::kHalf); };
  task.forward_contract.outputs = {{.name = "y", .dtype = at::kHalf}};
  EXPECT_EQ(
      make_tensors({task, Direction::backward, task.defaults}, 1)["grad_output"].scalar_type(),
      at::kHalf);
}

TEST(MakeTensors, TakesTheInputsOfTheDirection) {
  Task task = product_task();
  task.backward_contract->inputs = [](const Params&) {
    return std::vector<TensorSpec>{{"x", {2, 2}}};
  };
  EXPECT_EQ(make_tensors({task, Direction::forward, task.defaults}, 1)["x"].dim(), 1);
  EXPECT_EQ(make_tensors({task, Direction::backward, task.defaults}, 1)["x"].dim(), 2);
}

TEST(MakeTensors, RefusesADirectionThatTheTaskLacks) {
  Task task = product_task();
  task.backward_contract.reset();
  EXPECT_THROW(make_tensors({task, Direction::backward, task.defaults}, 1), UserError);
}

TEST(Tensors, NameTheKnownOnesWhenAskedForAnother) {
  const Task task = product_task();
  try {
    (void)make_tensors({task, Direction::forward, task.defaults}, 1)["y"];
    FAIL() << "no UserError";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'y' is none of this call; known: mask, w, x"));
  }
}

}  // namespace
}  // namespace robust_kbench
