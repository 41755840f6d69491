#include "check/signature.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The values of rkb_kind.
constexpr int tensor_kind = 1;
constexpr int integer_kind = 2;
constexpr int real_kind = 3;
constexpr int boolean_kind = 4;
constexpr int integers_kind = 6;
constexpr int tuple_kind = 8;

const Params params{{"n", std::int64_t{3}}, {"eps", 1e-5}, {"flag", true}};

Task task_with(const std::vector<Argument>& arguments) {
  Task task;
  task.forward_contract.arguments = [=](const Params&) { return arguments; };
  return task;
}

std::optional<std::string> mismatch(const Task& task, const Loaded& loaded) {
  return signature_mismatch("forward", {task, Direction::forward, params}, loaded);
}

std::optional<std::string> mismatch(const std::vector<Argument>& arguments,
                                    std::vector<Loaded::Parameter> parameters) {
  return mismatch(task_with(arguments),
                  {.parameters = std::move(parameters), .headers = KernelHeaders::shim});
}

bool fits(const Argument& argument, int kind) {
  return !mismatch({argument}, {{.name = "p", .kind = kind}});
}

TEST(Signature, ConvertsAsPybindDoes) {
  EXPECT_TRUE(fits(tensor("x"), tensor_kind));
  EXPECT_FALSE(fits(tensor("x"), real_kind));
  EXPECT_TRUE(fits(parameter("n"), integer_kind));
  EXPECT_TRUE(fits(parameter("n"), real_kind));
  EXPECT_FALSE(fits(parameter("eps"), integer_kind));
  EXPECT_TRUE(fits(parameter("flag"), boolean_kind));
  EXPECT_FALSE(fits(parameter("eps"), boolean_kind));
  EXPECT_TRUE(fits(tensor_tuple({"x", "w"}), tuple_kind));
  EXPECT_FALSE(fits(tensor_tuple({"x", "w"}), tensor_kind));
  EXPECT_TRUE(fits(integer_list({1}), integers_kind));
}

TEST(Signature, LetsDefaultsStandForWhatIsNotPassed) {
  EXPECT_FALSE(mismatch({tensor("x")}, {{.name = "x", .kind = tensor_kind},
                                        {.name = "k", .kind = integer_kind, .has_default = true}}));
  EXPECT_TRUE(mismatch({tensor("x")},
                       {{.name = "x", .kind = tensor_kind}, {.name = "k", .kind = integer_kind}}));
}

TEST(Signature, MayBeThatOfAnyOverload) {
  const Loaded loaded{
      .parameters = {{.name = "x", .kind = tensor_kind}},
      .overloads = {{{.name = "x", .kind = tensor_kind}, {.name = "n", .kind = integer_kind}}}};
  EXPECT_FALSE(mismatch(task_with({tensor("x")}), loaded));
  EXPECT_FALSE(mismatch(task_with({tensor("x"), parameter("n")}), loaded));
  EXPECT_TRUE(mismatch(task_with({parameter("eps")}), loaded));
}

TEST(Signature, ShowsBoth) {
  EXPECT_EQ(mismatch({tensor("x"), parameter("eps")},
                     {{.kind = tensor_kind, .optional = true},
                      {.name = "w", .kind = tensor_kind},
                      {.name = "k", .kind = integer_kind, .has_default = true}}),
            "the kernel takes 3 arguments, forward(arg0: tensor or None, w: tensor, "
            "k: int = ...); the task calls it with 2, forward(x: tensor, eps: float)");
}

TEST(Signature, EndsWithOutputsThatAreArguments) {
  Task task = task_with({tensor("x")});
  task.forward_contract.outputs = {{"y"}};
  task.forward_contract.out_arguments = [](const Params&) {
    return std::vector<std::vector<std::int64_t>>{{3}};
  };
  const Loaded::Parameter given{.kind = tensor_kind};
  EXPECT_FALSE(mismatch(task, {.parameters = {given, given}}));
  EXPECT_EQ(mismatch(task, {.parameters = {given}}),
            "the kernel takes 1 arguments, forward(arg0: tensor); the task calls it with 2, "
            "forward(x: tensor, y: tensor)");
}

}  // namespace
}  // namespace robust_kbench
