#include "check/perturbed_inputs.hpp"

#include <map>
#include <set>
#include <string>

#include "adding_task.hpp"
#include "tensor/generator.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/sum.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::uint64_t seed = 7;
constexpr std::uint64_t keys = 100;

std::int64_t changed_elements(const at::Tensor& a, const at::Tensor& b) {
  return at::ne(a, b).sum().item<std::int64_t>();
}

// The task has x of shape (1000, 5), and weights of 5 elements: random, constant, constant with a
// spread.
Task task_of_four() {
  Task task = adding_task();
  task.defaults = {{"rows", std::int64_t{1000}}};
  task.weights = [](const Params&) {
    return std::vector<TensorSpec>{
        {"w", {5}}, {"fixed", {5}, constant(1.0)}, {"variance", {5}, constant(1.0, 0.5)}};
  };
  return task;
}

// The gradient is masked where x > 0.
Task kinked_task() {
  Task task = task_of_four();
  task.near_kink = [](const Tensors& tensors, const Params&) { return tensors["x"].gt(0); };
  task.backward_contract = task.forward_contract;
  return task;
}

// Counts the elements of each tensor that the perturbations by some keys change.
std::map<std::string, std::multiset<std::int64_t>> changes(const Workload& workload) {
  const Tensors own = make_tensors(workload, seed);
  std::map<std::string, std::multiset<std::int64_t>> found;
  for (std::uint64_t key = 100; key < 100 + keys; ++key) {
    const Tensors perturbed = perturbed_inputs(workload, seed, key);
    for (const auto& [name, tensor] : own.all()) {
      found[name].insert(changed_elements(tensor, perturbed[name]));
    }
  }
  return found;
}

TEST(PerturbedInputs, DiffersInOneTensor) {
  const Task task = task_of_four();
  const Workload workload{task, Direction::forward, task.defaults};
  const Tensors own = make_tensors(workload, seed);
  for (std::uint64_t key = 100; key < 100 + keys; ++key) {
    const Tensors perturbed = perturbed_inputs(workload, seed, key);
    int differ = 0;
    for (const auto& [name, tensor] : own.all())
      differ += at::equal(tensor, perturbed[name]) ? 0 : 1;
    EXPECT_EQ(differ, 1);
  }
}

TEST(PerturbedInputs, DiffersInOneElementOrAFewOrAllButAFew) {
  const Task task = task_of_four();
  const auto of_x = changes({task, Direction::forward, task.defaults}).at("x");
  constexpr std::int64_t elements = 5000;
  constexpr std::int64_t few = elements / 256 + 1;
  EXPECT_GT(of_x.count(1), 0U);
  EXPECT_NE(of_x.lower_bound(2), of_x.end());
  EXPECT_LE(*of_x.lower_bound(2), few);
  EXPECT_GE(*of_x.rbegin(), elements - few);
  EXPECT_LT(*of_x.rbegin(), elements);
}

TEST(PerturbedInputs, ChangesEveryTensorThatCanChange) {
  const Task task = task_of_four();
  const auto found = changes({task, Direction::forward, task.defaults});
  for (const char* name : {"x", "w", "variance"}) EXPECT_GT(*found.at(name).rbegin(), 0) << name;
  EXPECT_EQ(*found.at("fixed").rbegin(), 0);
}

TEST(PerturbedInputs, KeepsToTheSpreadOfAConstant) {
  const Task task = task_of_four();
  for (std::uint64_t key = 100; key < 100 + keys; ++key) {
    const Tensors perturbed =
        perturbed_inputs({task, Direction::forward, task.defaults}, seed, key);
    EXPECT_GE(perturbed["variance"].min().item<float>(), 0.5F);
    EXPECT_LT(perturbed["variance"].max().item<float>(), 1.5F);
  }
}

TEST(PerturbedInputs, NearAKinkMayDifferInAnyTensorAndHasItsOwnZeros) {
  const Task task = kinked_task();
  const Workload workload{task, Direction::backward, task.defaults};
  const auto found = changes(workload);
  for (const char* name : {"x", "w", "variance", "grad_output"}) {
    EXPECT_GT(*found.at(name).rbegin(), 0) << name;
  }
  for (std::uint64_t key = 100; key < 100 + keys; ++key) {
    const Tensors perturbed = perturbed_inputs(workload, seed, key);
    EXPECT_TRUE(at::equal(perturbed["grad_output"].eq(0), perturbed["x"].gt(0)));
  }
}

}  // namespace
}  // namespace robust_kbench
