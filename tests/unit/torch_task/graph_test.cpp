#include "torch_task/graph.hpp"

#include <cmath>

#include "core/error.hpp"

#include <ATen/ops/allclose.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/autograd/autograd.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

json node(const std::string& op, json args, json kwargs = json::object(), int outputs = 1) {
  return {
      {"op", op}, {"args", std::move(args)}, {"kwargs", std::move(kwargs)}, {"outputs", outputs}};
}

json tensor(int number) {
  return {{"t", number}};
}

json graph(std::vector<std::string> inputs, json nodes, json outputs,
           json constants = json::array()) {
  return {{"inputs", std::move(inputs)},
          {"constants", std::move(constants)},
          {"nodes", std::move(nodes)},
          {"outputs", std::move(outputs)}};
}

json linear_relu() {
  return graph({"x", "w", "b"},
               {node("aten::linear", {tensor(0), tensor(1), tensor(2)}),
                node("aten::relu", json::array({tensor(3)}))},
               {4});
}

std::string graph_error(const json& json) {
  try {
    const Graph graph(json);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Graph, ComputesWhatItsOperatorsCompute) {
  const Graph graph(linear_relu());
  const at::Tensor x = at::randn({4, 3});
  const at::Tensor w = at::randn({5, 3});
  const at::Tensor b = at::randn({5});

  const std::vector<at::Tensor> outputs = graph.run({x, w, b}, at::kFloat);

  ASSERT_EQ(outputs.size(), 1);
  EXPECT_TRUE(at::allclose(outputs[0], at::relu(at::linear(x, w, b))));
  EXPECT_THAT(graph.operators(), ElementsAre("aten::linear", "aten::relu"));
}

TEST(Graph, CopiesWhereTheLayoutAllowsNoView) {
  const Graph graph(robust_kbench::graph({"x"},
                                         {node("aten::t", json::array({tensor(0)})),
                                          node("aten::view", {tensor(1), json::array({6})})},
                                         {2}));
  const at::Tensor x = at::randn({2, 3});
  EXPECT_TRUE(graph.run({x}, at::kFloat).at(0).equal(x.t().reshape({6})));
}

TEST(Graph, IsDifferentiatedByAutograd) {
  const Graph graph(linear_relu());
  const at::Tensor x = at::ones({1, 2}).set_requires_grad(true);
  const at::Tensor w = at::ones({1, 2}).mul(3.0);

  const at::Tensor y = graph.run({x, w, at::ones({1})}, at::kFloat)[0];

  EXPECT_TRUE(at::allclose(torch::autograd::grad({y}, {x}, {at::ones({1, 1})})[0], w));
}

TEST(Graph, HandsAnAbsentTensorOnAsNone) {
  const Graph graph(linear_relu());
  const at::Tensor x = at::ones({1, 2});

  EXPECT_EQ(graph.run({x, x, {}}, at::kFloat)[0].item<float>(), 2.0F);
}

TEST(Graph, ReturnsSeveralTensorsOfOneCall) {
  const Graph graph(robust_kbench::graph(
      {"x"}, {node("aten::max.dim", {tensor(0), -1}, {{"keepdim", true}}, 2)}, {1, 2}));

  const std::vector<at::Tensor> outputs = graph.run({at::randn({4, 3})}, at::kFloat);

  EXPECT_EQ(outputs[0].sizes(), at::IntArrayRef({4, 1}));
  EXPECT_EQ(outputs[1].scalar_type(), at::kLong);
}

TEST(Graph, TakesListsOfTensorsAndGivesThem) {
  const Graph graph(
      robust_kbench::graph({"x"},
                           {node("aten::chunk", {tensor(0), 2, 1}, json::object(), 2),
                            node("aten::cat", {json::array({tensor(2), tensor(1)}), 1})},
                           {3}));
  const at::Tensor x = at::randn({3, 4});

  const at::Tensor swapped = graph.run({x}, at::kFloat)[0];

  EXPECT_TRUE(swapped.narrow(1, 0, 2).equal(x.narrow(1, 2, 2)));
}

// A conversion to float32 in the module would limit the reference's precision.
TEST(Graph, OfFloat64TensorsRoundsNowhere) {
  const json halves =
      node("aten::full", {json::array({1}), 0.1}, {{"dtype", {{"dtype", "float32"}}}});
  const json unnamed = node("aten::full", {json::array({1}), 0.2});
  const json convert = node("aten::to.dtype", {tensor(0), {{"dtype", "float32"}}});
  const json third{{"dtype", "float32"}, {"shape", {1}}, {"data", "AACAPg=="}};  // 0.25
  const Graph graph(robust_kbench::graph(
      {"x"},
      {halves, unnamed, convert, node("aten::add.Tensor", {tensor(2), tensor(3)}),
       node("aten::add.Tensor", {tensor(4), tensor(5)}),
       node("aten::add.Tensor", {tensor(1), tensor(6)})},
      {7}, json::array({third})));
  const at::Tensor x = at::full({1}, 1.0 / 3.0, at::kDouble);

  const at::Tensor wide = graph.run({x}, at::kFloat)[0];
  const at::Tensor narrow = graph.run({x.to(at::kFloat)}, at::kFloat)[0];

  EXPECT_EQ(wide.scalar_type(), at::kDouble);
  EXPECT_NEAR(wide.item<double>(), 1.0 / 3.0 + 0.25 + 0.1 + 0.2, 1e-15);
  EXPECT_EQ(narrow.scalar_type(), at::kFloat);
}

TEST(Graph, MultipliesByANumberAsPythonDoes) {
  const Graph graph(robust_kbench::graph(
      {"x"}, {node("aten::mul.Tensor", {tensor(0), 0.1}), node("aten::add.Tensor", {tensor(1), 2})},
      {2}));

  EXPECT_EQ(graph.run({at::ones({1})}, at::kFloat)[0].scalar_type(), at::kFloat);
  EXPECT_EQ(graph.run({at::ones({1}, at::kDouble)}, at::kFloat)[0].item<double>(), 2.1);
  EXPECT_EQ(graph.run({at::ones({1}, at::kHalf)}, at::kHalf)[0].scalar_type(), at::kHalf);
}

TEST(Graph, WithoutANodeHandsOnWhatTheNodeTakes) {
  const Graph graph(linear_relu());
  const at::Tensor x = at::randn({4, 3});
  const at::Tensor w = at::randn({5, 3});
  const at::Tensor b = at::randn({5});

  EXPECT_TRUE(at::allclose(graph.without(1).run({x, w, b}, at::kFloat)[0], at::linear(x, w, b)));
  EXPECT_TRUE(graph.without(0).run({x, w, b}, at::kFloat)[0].equal(at::relu(x)));
}

TEST(Graph, RefusesOperatorsThatDoMoreThanCompute) {
  for (const char* op : {"aten::from_file", "aten::rand", "aten::set_.source_Tensor", "prim::Print",
                         "aten::as_strided", "aten::add.out"}) {
    EXPECT_THAT(graph_error(graph({"x"}, {node(op, json::array({tensor(0)}))}, {1})),
                HasSubstr("no package may call"))
        << op;
  }
}

TEST(Graph, RefusesWhatTheSchemaDoesNotTake) {
  const auto message = [](json call) {
    return graph_error(graph({"x"}, json::array({std::move(call)}), {1}));
  };
  EXPECT_THAT(message(node("aten::relu", json::array({tensor(1)}))),
              HasSubstr("it takes tensor 1, and there are only 1 before it"));
  EXPECT_THAT(message(node("aten::relu", json::array({tensor(0), 1}))),
              HasSubstr("it has 2 arguments, and the schema 1"));
  EXPECT_THAT(message(node("aten::softmax.int", json::array({tensor(0), "x"}))),
              HasSubstr("argument 'dim': \"x\" is no int"));
  EXPECT_THAT(message(node("aten::relu", json::array({tensor(0)}), {{"inplace", true}})),
              HasSubstr("it names an argument that the schema does not have"));
  EXPECT_THAT(message(node("aten::softmax.int", json::array({tensor(0)}))),
              HasSubstr("argument 'dim': it is missing"));
  EXPECT_THAT(message(node("aten::relu_", json::array({tensor(0)}))),
              HasSubstr("it changes tensor 0, an input or a constant"));
  EXPECT_THAT(graph_error(graph({"x"}, json::array(), {3})), HasSubstr("an output is tensor 3"));
}

TEST(Graph, RefusesAConstantWhoseBytesAreNotThoseOfItsShape) {
  const json constant{{"dtype", "float32"}, {"shape", {2}}, {"data", "AACAPg=="}};
  EXPECT_THAT(graph_error(graph({"x"}, json::array(), {0}, json::array({constant}))),
              HasSubstr("a constant has 4 bytes"));
}

}  // namespace
}  // namespace robust_kbench
