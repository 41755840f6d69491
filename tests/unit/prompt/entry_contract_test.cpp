#include "prompt/entry_contract.hpp"

#include "core/error.hpp"
#include "prompt/contract_text.hpp"
#include "scaling_task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

json contract_of(Direction direction, std::vector<Config> configs, Device device = Device::cuda) {
  const Task task = scaling_task();
  return contract_data({.task = task,
                        .direction = direction,
                        .device = device,
                        .configs = std::move(configs),
                        .reference = {scaling_reference, "python"},
                        .machine = {"a machine"},
                        .flags = {"-O3"},
                        .refused = {Capability::clocks}});
}

Params params(bool shifted, std::int64_t n) {
  return {{"n", n}, {"scale", 0.5}, {"shifted", shifted}};
}

TEST(EntryContract, StatesArgumentsOutputsAndShapesOfAForward) {
  const json contract =
      contract_of(Direction::forward, {{.name = "small/a", .params = params(true, 8)},
                                       {.name = "small/b", .params = params(false, 16)}});
  EXPECT_EQ(contract["entry"], "scaling.forward");
  EXPECT_EQ(contract["language"], "cuda");
  EXPECT_EQ(contract["summary"], "Scales and shifts.");
  EXPECT_EQ(contract["reference"], scaling_reference);
  EXPECT_TRUE(contract["autograd_function"].is_null());
  EXPECT_EQ(contract["arguments"], json::parse(R"json([
      {"name": "x", "type": "torch::Tensor", "about": "float32"},
      {"name": "shift", "type": "c10::optional<torch::Tensor>",
       "about": "float32; nullopt in some configs"},
      {"name": "scale", "type": "double", "about": "usually 0.5"}])json"));
  EXPECT_EQ(contract["outputs"],
            json::parse(R"json([{"name": "y", "dtype": "float32", "about": ""}])json"));
  EXPECT_EQ(contract["configs"], json::parse(R"json([
      {"name": "small/a", "tensors": ["x (8, 3)", "shift (3)"], "parameters": ["scale = 0.5"]
},
      {"name": "small/b", "tensors": ["x (16, 3)", "shift is not there"],
       "parameters": ["scale = 0.5"]}])json"));
  EXPECT_FALSE(contract["out_arguments"]);
  EXPECT_EQ(contract["sizes"], json::parse(R"json([
      {"parameter": "n", "least": 1, "most": 129, "multiple": 4}])json"));
  EXPECT_EQ(contract["machine"], json::parse(R"json(["a machine"])json"));
  EXPECT_EQ(contract["flags"], json::parse(R"json(["-O3"])json"));
  EXPECT_EQ(contract["refused"][0]["name"], "clocks");
  EXPECT_THAT(contract["refused"][0]["about"], HasSubstr("std::chrono"));
  EXPECT_THAT(contract["options"], HasSubstr("--use_fast_math"));
}

// Programs and people are told what models are.
TEST(EntryContract, IsToldInPlainText) {
  const Task task = scaling_task();
  const std::string text =
      contract_text({.task = task,
                     .direction = Direction::backward,
                     .device = Device::cpu,
                     .configs = {{.name = "small/a", .params = params(true, 8)}},
                     .reference = {scaling_reference, "python"},
                     .machine = {},
                     .flags = {},
                     .refused = {Capability::clocks}});
  EXPECT_THAT(text, AllOf(HasSubstr("- clocks: "),
                          HasSubstr("`backward`, with these arguments in this order:"),
                          HasSubstr("- `grad_output`: `torch::Tensor`, float32, the gradient"),
                          HasSubstr("- `grad_x`: float32, the gradient of x"),
                          HasSubstr("- small/a: x (8, 3), shift (3); scale = 0.5"),
                          HasSubstr(scaling_reference), HasSubstr("torch.autograd.Function")));
}

TEST(EntryContract, NamesWhatABackwardGets) {
  const json contract =
      contract_of(Direction::backward, {{.name = "small/a", .params = params(true, 8)}});
  EXPECT_EQ(contract["arguments"], json::parse(R"json([
      {"name": "grad_output", "type": "torch::Tensor",
       "about": "float32, the gradient of the output y"},
      {"name": "saved", "type": "py::tuple", "about": "holds x (float32), shift (float32)"
},
      {"name": "scale", "type": "double", "about": "usually 0.5"},
      {"name": "shape", "type": "std::vector<int64_t>",
       "about": "a list, see the configs"}])json"));
  EXPECT_EQ(contract["configs"][0]["parameters"],
            json::parse(R"json(["scale = 0.5", "shape = [8, 3]"])json"));
  EXPECT_EQ(contract["outputs"][1], json::parse(R"json({"name": "grad_shift", "dtype": "float32",
      "about": "the gradient of shift, of its shape"})json"));
}

TEST(EntryContract, ShowsABackwardAsAnAutogradFunction) {
  EXPECT_EQ(contract_of(Direction::backward, {})["autograd_function"],
            "class Operator(torch.autograd.Function):\n"
            "    @staticmethod\n"
            "    def forward(ctx, x, shift, scale):\n"
            "        ctx.save_for_backward(x, shift)\n"
            "        ctx.scale = scale\n"
            "        ctx.shape = x.shape\n"
            "        return forward(x, shift, scale)\n"
            "\n"
            "    @staticmethod\n"
            "    def backward(ctx, grad_output):\n"
            "        (x, shift) = ctx.saved_tensors\n"
            "        grad_x, grad_shift = kernel.backward(grad_output, (x, shift), ctx.scale, "
            "ctx.shape)\n"
            "        return grad_x, grad_shift, None\n");
}

TEST(EntryContract, TakesAListOfIntegersFromForwardsArgumentsWhereItIsNoShape) {
  Task task = scaling_task();
  const auto with_strides = [](std::vector<Argument> arguments) {
    arguments.push_back(integer_list({7, 7}));
    return arguments;
  };
  task.backward_contract->arguments = [=](const Params&) {
    return with_strides({tensor("grad_output"), tensor("x")});
  };
  const auto function = [&](const std::string& forward) {
    const std::string reference =
        "def forward(" + forward +
        "):\n    pass\n\n\ndef backward(grad_output, x, strides):\n    pass\n";
    return contract_data({.task = task,
                          .direction = Direction::backward,
                          .reference = {reference, "python"}})["autograd_function"]
        .get<std::string>();
  };
  EXPECT_THAT(function("x, shift, scale"),
              HasSubstr("        ctx.strides = [7, 7]  # for the first config\n"));
  task.forward_contract.arguments = [=](const Params&) {
    return with_strides({tensor("x"), tensor("shift")});
  };
  EXPECT_THAT(function("x, shift, strides"), HasSubstr("        ctx.strides = strides\n"));
}

// The same task, whose kernels are handed the tensors of their outputs.
Task writing_task() {
  using Sizes = std::vector<std::vector<std::int64_t>>;
  Task task = scaling_task();
  task.forward_contract.out_arguments = [](const Params& given) {
    return Sizes{{given.integer("n"), 3}};
  };
  task.backward_contract->out_arguments = [](const Params& given) {
    return Sizes{{given.integer("n"), 3}, {3}};
  };
  return task;
}

TEST(EntryContract, ListsOutputsAmongTheArgumentsWhereTheyAreWritten) {
  const Task task = writing_task();
  const PromptSubject subject{.task = task,
                              .direction = Direction::backward,
                              .configs = {{.name = "small/a", .params = params(true, 8)}},
                              .reference = {scaling_reference, "python"}};
  const json contract = contract_data(subject);
  EXPECT_TRUE(contract["out_arguments"]);
  ASSERT_EQ(contract["arguments"].size(), 6U);
  EXPECT_EQ(contract["arguments"][1]["name"], "saved");
  EXPECT_EQ(contract["arguments"][4], json::parse(R"json({"name": "grad_x",
      "type": "torch::Tensor", "about": "an output, to be written"})json"));
  EXPECT_EQ(contract["configs"][0]["tensors"],
            json::parse(R"json(["x (8, 3)", "shift (3)", "grad_x (8, 3)", "grad_shift (3)"])json"));
  EXPECT_THAT(contract["autograd_function"],
              HasSubstr("        grad_x = torch.empty(...)  # as x\n"
                        "        grad_shift = torch.empty(...)  # as shift\n"
                        "        kernel.backward(grad_output, (x, shift), ctx.scale, ctx.shape, "
                        "grad_x, grad_shift)\n"
                        "        return grad_x, grad_shift, None\n"));
  EXPECT_THAT(contract["autograd_function"], HasSubstr("return forward(x, shift, scale)\n"));
  EXPECT_THAT(contract_text(subject), HasSubstr("It returns nothing, and writes these:"));
}

TEST(EntryContract, CanLeaveShapesOut) {
  const json contract = contract_of(Direction::forward, {}, Device::cpu);
  EXPECT_TRUE(contract["configs"].empty());
  EXPECT_EQ(contract["language"], "cpp");
  EXPECT_EQ(contract["arguments"][1]["type"], "torch::Tensor");
}

TEST(EntryContract, OfATaskWithoutBackwardIsAUserError) {
  Task task = scaling_task();
  task.backward_contract.reset();
  const PromptSubject subject{.task = task, .direction = Direction::backward, .reference = {}};
  EXPECT_THROW((void)contract_data(subject), UserError);
}

}  // namespace
}  // namespace robust_kbench
