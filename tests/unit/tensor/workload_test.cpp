#include "tensor/workload.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

Task scale_task() {
  Task task{.name = "scale"};
  task.weights = [](const Params&) { return std::vector<TensorSpec>{{"factor", {1}}}; };
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{{"x", {params.integer("size")}}, absent("mask")};
  };
  task.forward_contract.arguments = [](const Params&) {
    return std::vector{tensor("x"), parameter("size")};
  };
  task.forward_contract.outputs = {{"y"}};
  task.backward_contract = Contract{.outputs = {{"x"}}, .inputs = [](const Params&) {
                                      return std::vector<TensorSpec>{{"x", {7}}};
                                    }};
  return task;
}

const Params params{{"size", std::int64_t{3}}};

TEST(Workload, NamesTheTensorsOfACall) {
  const Task task = scale_task();
  const Workload forward{task, Direction::forward, params};
  EXPECT_THAT(forward.tensor_names(), ElementsAre("x", "mask", "factor"));
  EXPECT_THAT(forward.tensor_specs().at(0).shape, ElementsAre(3));
  const Workload backward{task, Direction::backward, params};
  EXPECT_THAT(backward.tensor_names(), ElementsAre("x", "factor", "grad_output"));
  EXPECT_THAT(backward.tensor_specs().at(0).shape, ElementsAre(7));
}

TEST(Workload, NamesEachOfSeveralIncomingGradients) {
  Task task = scale_task();
  task.forward_contract.outputs = {{"y"}, {.name = "place", .dtype = at::kInt}, {"z"}};
  const Workload backward{task, Direction::backward, params};
  EXPECT_THAT(backward.tensor_names(), ElementsAre("x", "factor", "grad_y", "grad_z"));
}

TEST(Workload, GivesTheArgumentsOfItsDirection) {
  const Task task = scale_task();
  const auto arguments = Workload{task, Direction::forward, params}.arguments();
  ASSERT_EQ(arguments.size(), 2);
  EXPECT_THAT(arguments[0].names, ElementsAre("x"));
  EXPECT_EQ(arguments[1].kind, Argument::Kind::parameter);
}

TEST(Workload, RefusesABackwardThatTheTaskLacks) {
  Task task = scale_task();
  task.backward_contract.reset();
  try {
    (void)Workload{task, Direction::backward, params}.contract();
    FAIL() << "no UserError";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "task 'scale' has no backward; use --direction forward");
  }
}

}  // namespace
}  // namespace robust_kbench
