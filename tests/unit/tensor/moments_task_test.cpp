#include <string>

#include <robust_kbench/task.hpp>

#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace tasks {
Task moments();
}
namespace {

// The task of docs/tasks.md, which has a real parameter and two outputs.
TEST(MomentsTask, GivesItsOutputsInTheOrderOfItsContract) {
  const Task task = tasks::moments();
  Tensors tensors;
  tensors.set("x", at::arange(8, at::kDouble).view({2, 4}));
  Params params = task.defaults;
  params.set("eps", std::int64_t{1});  // as a config file may write a real
  const OutputTensors outputs = task.forward(tensors, params);
  ASSERT_EQ(outputs.size(), task.forward_contract.outputs.size());
  EXPECT_EQ(task.forward_contract.outputs.back().name, "variance");
  EXPECT_EQ(outputs[0][1].item<double>(), 5.5);
  EXPECT_EQ(outputs[1][1].item<double>(), 2.25);
}

}  // namespace
}  // namespace robust_kbench
