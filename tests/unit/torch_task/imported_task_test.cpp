#include "torch_task/imported_task.hpp"

#include <cstdlib>
#include <fstream>

#include "core/config.hpp"
#include "core/error.hpp"
#include "small_package.hpp"
#include "tensor/generator.hpp"
#include "tensor/reference.hpp"
#include "tensor/stacked_task.hpp"
#include "torch_task/package_files.hpp"

#include <ATen/ops/allclose.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

Params batch_of(std::int64_t size) {
  return {{"batch", size}};
}

TEST(ImportedTask, HasTheReferenceOfItsGraphInFloat64) {
  const PackageFile file(small_package());
  const Task task = imported_task(file.path());
  const Workload workload{task, Direction::forward, batch_of(5)};
  const Tensors tensors = make_tensors(workload, 1);

  const at::Tensor y = reference(workload, tensors)[0];

  EXPECT_EQ(y.scalar_type(), at::kDouble);
  EXPECT_TRUE(at::allclose(
      y, at::relu(at::linear(tensors["x"].to(at::kDouble), tensors["w"].to(at::kDouble)))));
  EXPECT_EQ(eager(workload, tensors)[0].scalar_type(), at::kFloat);
}

TEST(ImportedTask, HasABackwardByAutograd) {
  const PackageFile file(small_package());
  const Task task = imported_task(file.path());
  const Workload workload{task, Direction::backward, batch_of(5)};
  const Tensors tensors = make_tensors(workload, 1);

  const std::vector<at::Tensor> gradients = reference(workload, tensors);

  const at::Tensor x = tensors["x"].to(at::kDouble);
  const at::Tensor w = tensors["w"].to(at::kDouble);
  const at::Tensor passed = tensors["grad_output"].to(at::kDouble).mul(at::linear(x, w).gt(0));
  EXPECT_TRUE(at::allclose(gradients[0], passed.matmul(w)));
  EXPECT_TRUE(at::allclose(gradients[1], passed.t().matmul(x)));
}

TEST(ImportedTask, DrawsIncomingGradientsAsItsPackageSays) {
  nlohmann::json content = small_package();
  content["points"][0]["grad_output"] = {{"kind", "constant"}, {"a", 3.0}};
  const PackageFile file(content);
  const Task task = imported_task(file.path());

  const Tensors tensors = make_tensors({task, Direction::backward, batch_of(4)}, 1);

  EXPECT_EQ(tensors["grad_output"].max().item<float>(), 3.0F);
}

// No tolerance covers a gradient whose ReLU decides otherwise in float32.
TEST(ImportedTask, IsNotAskedForGradientsNearAKink) {
  const PackageFile file(small_package());
  const Task task = imported_task(file.path());
  Tensors tensors;
  tensors.set("x", at::ones({4, 3}, at::kDouble));
  const at::Tensor w = at::ones({2, 3}, at::kDouble);
  w[0][0] = -2.0 + 1e-9;  // the sum of the row is next to 0
  tensors.set("w", w);

  const std::vector<at::Tensor> near = task.near_kink(tensors, batch_of(4));

  ASSERT_EQ(near.size(), 1);
  EXPECT_TRUE(near[0].select(1, 0).all().item<bool>());
  EXPECT_FALSE(near[0].select(1, 1).any().item<bool>());
}

TEST(ImportedTask, IsStackedAsALinkedOneIs) {
  const PackageFile file(small_package());
  const Task task = imported_task(file.path());
  const Task stacked = stacked_task(task, 3);
  const Workload workload{stacked, Direction::forward, batch_of(4)};
  const Tensors tensors = make_tensors(workload, 1);

  const at::Tensor y = reference(workload, tensors)[0];

  const Workload one{task, Direction::forward, batch_of(4)};
  EXPECT_TRUE(at::allclose(y.select(0, 2), reference(one, call_of(tensors, 2))[0]));
}

TEST(ImportedTask, KnowsItsArgumentsAndItsCost) {
  const PackageFile file(small_package());
  const Task task = imported_task(file.path());
  const Workload workload{task, Direction::forward, batch_of(4)};

  const std::vector<Argument> arguments = workload.arguments();

  ASSERT_EQ(arguments.size(), 3);
  EXPECT_EQ(std::get<double>(value_of(arguments[2], workload.params)), 0.5);
  EXPECT_EQ(cost_of(workload).flops, 48.0);
  EXPECT_EQ(task.shapes->points.size(), 4);
}

TEST(ImportedTask, UnpacksItsConfigFilesIntoTheCache) {
  const PackageFile file(small_package());
  setenv("RKB_CACHE", (file.directory() / "cache").c_str(), 1);

  const Task task = load_imported_task(file.path());
  const Task again = load_imported_task(file.path());

  EXPECT_EQ(task.directory, again.directory);
  std::ifstream configs(std::filesystem::path(task.directory) / "config_forward.json");
  const auto json = nlohmann::json::parse(configs);
  EXPECT_EQ(expand_configs(json, "it", ConfigSet::small, task.defaults, {}).size(), 2);
  EXPECT_EQ(imported_task(task.package).name, "small_linear");
}

TEST(ImportedTask, IsListedWhereImportsAreKept) {
  const PackageFile file(small_package());
  setenv("ROBUST_KBENCH_TASKS", file.directory().c_str(), 1);

  EXPECT_EQ(imported_packages(), std::vector<std::filesystem::path>{file.path()});

  setenv("ROBUST_KBENCH_TASKS", "/no/such/directory", 1);
  EXPECT_TRUE(imported_packages().empty());
}

// Rows whose sum is 1 cannot be drawn directly, so the package says how to make them.
TEST(ImportedTask, MakesAnInputFromDrawnNumbersAsItsModuleDoes) {
  nlohmann::json content = small_package();
  content["graphs"].push_back(
      {{"inputs", {"drawn"}},
       {"constants", nlohmann::json::array()},
       {"nodes", {{{"op", "aten::softmax.int"}, {"args", {{{"t", 0}}, -1}}, {"outputs", 1}}}},
       {"outputs", {1}}});
  content["points"][0]["inputs"][0]["distribution"]["then"] = 1;
  const PackageFile file(content);
  const Task task = imported_task(file.path());
  const Workload workload{task, Direction::forward, batch_of(4)};

  const at::Tensor x = make_tensors(workload, 1)["x"];
  const Task stacked = stacked_task(task, 2);
  const at::Tensor both = make_tensors({stacked, Direction::forward, batch_of(4)}, 1)["x"];

  EXPECT_TRUE(at::allclose(x.sum(-1), at::ones({4})));
  EXPECT_TRUE(at::allclose(both.sum(-1), at::ones({2, 4})));
}

}  // namespace
}  // namespace robust_kbench
