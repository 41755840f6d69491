#include <string>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "task_in_directory.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using Sizes = std::vector<std::vector<std::int64_t>>;

std::vector<std::int64_t> shape_of_x(const Params& params) {
  return {params.integer("rows"), params.integer("columns")};
}

// The square of each element, and the sum of each row. `sums_beyond` is the number of sums beyond
// the rows for which kernels get room.
Task squares_task(const std::string& directory, std::int64_t sums_beyond = 0) {
  Task task;
  task.name = "squares";
  task.defaults = {{"rows", std::int64_t{1}}, {"columns", std::int64_t{1}}};
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{{"x", shape_of_x(params), normal()}};
  };
  task.forward = [](const Tensors& tensors, const Params&) {
    return std::vector<at::Tensor>{tensors["x"].square(), tensors["x"].sum(1)};
  };
  task.forward_contract.arguments = [](const Params&) {
    return std::vector<Argument>{tensor("x")};
  };
  task.forward_contract.outputs = {{"y"}, {"sums"}};
  task.forward_contract.out_arguments = [=](const Params& params) {
    return Sizes{shape_of_x(params), {params.integer("rows") + sums_beyond}};
  };
  task.backward_contract = Contract{
      .arguments =
          [](const Params&) {
            return std::vector<Argument>{tensor("grad_y"), tensor("grad_sums"), tensor("x")};
          },
      .outputs = {{"x"}},
      .out_arguments = [](const Params& params) { return Sizes{shape_of_x(params)}; }};
  task.directory = directory;
  return task;
}

// `before` precedes the loops, `after` follows them. `rows` is the number of rows that it writes.
std::string writing_forward(const std::string& rows = "x.size(0)", const std::string& before = "",
                            const std::string& after = "", const std::string& type = "void") {
  return R"(#include <chrono>
#include <thread>
#include <torch/extension.h>
void write(torch::Tensor x, torch::Tensor y, torch::Tensor sums) {
  const int64_t columns = x.size(1);
  for (int64_t r = 0; r < )" +
         rows + R"(; ++r) {
    float sum = 0;
    for (int64_t i = r * columns; i < (r + 1) * columns; ++i) {
      const float element = x.data_ptr<float>()[i];
      y.data_ptr<float>()[i] = element * element;
      sum += element;
    }
    sums.data_ptr<float>()[r] = sum;
  }
}
)" + type +
         R"( forward(torch::Tensor x, torch::Tensor y, torch::Tensor sums) {
)" + before +
         R"(
  write(x, y, sums);
)" + after +
         R"(
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";
}

// `from` is the first element that it writes.
std::string writing_backward(const std::string& from = "0") {
  return R"(#include <torch/extension.h>
void backward(torch::Tensor grad_y, torch::Tensor grad_sums, torch::Tensor x, torch::Tensor grad_x) {
  for (int64_t i = )" +
         from + R"(; i < x.numel(); ++i) {
    grad_x.data_ptr<float>()[i] = 2 * x.data_ptr<float>()[i] * grad_y.data_ptr<float>()[i] +
                                  grad_sums.data_ptr<float>()[i / x.size(1)];
  }
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("backward", &backward); }
)";
}

// `rows` is the number of rows that it writes.
std::string cuda_kernel(const std::string& rows) {
  return R"(#include <torch/extension.h>
__global__ void write(const float* x, float* y, float* sums, int64_t rows, int64_t columns) {
  const int64_t r = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int64_t i = r * columns; i < (r + 1) * columns; ++i) {
    y[i] = x[i] * x[i];
    sum += x[i];
  }
  sums[r] = sum;
}
void forward(torch::Tensor x, torch::Tensor y, torch::Tensor sums) {
  write<<<(x.size(0) + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                          sums.data_ptr<float>(), )" +
         rows + R"(, x.size(1));
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";
}

class OutArguments : public TaskInDirectory {
 protected:
  OutArguments()
      : TaskInDirectory(R"({"small_init_configs": [{}], "small_shared_configs": [{}],
        "small_input_configs": [{"rows": 3, "columns": 5}, {"rows": 17, "columns": 1}],
        "multi_init_configs": [{}], "multi_shared_configs": [{}],
        "multi_input_configs": [{"rows": 1000, "columns": 33}]})",
                        [](const std::string& directory) { return squares_task(directory); }) {}

  Judgement judgement_of(const std::string& source, Direction direction = Direction::forward) {
    return evaluate(direction, Device::cpu, source).judgement;
  }
};

TEST_F(OutArguments, AreComparedAsReturnedOutputsAre) {
  const KernelRecord record = evaluate(Direction::forward, Device::cpu, writing_forward());
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
  ASSERT_EQ(record.cases.size(), 3U);  // two configs and the sequence
  ASSERT_EQ(record.cases[0].errors.size(), 2U);
  EXPECT_EQ(record.cases[0].errors[0].name, "y");
  EXPECT_EQ(record.cases[0].errors[1].name, "sums");
}

TEST_F(OutArguments, HoldTheGradientsOfABackward) {
  const Judgement right = judgement_of(writing_backward(), Direction::backward);
  EXPECT_EQ(to_string(right.verdict), "pass") << right.reason;
  const Judgement wrong = judgement_of(writing_backward("1"), Direction::backward);
  EXPECT_EQ(to_string(wrong.verdict), "wrong_result");
  EXPECT_THAT(wrong.reason, HasSubstr("Output 'x' is not close to the reference!"));
}

TEST_F(OutArguments, MustBeWrittenInFull) {
  const Judgement judgement = judgement_of(writing_forward("x.size(0) - 1"));
  EXPECT_EQ(to_string(judgement.verdict), "wrong_result");
  EXPECT_THAT(judgement.reason, HasSubstr("nan"));
}

TEST_F(OutArguments, MustBeWrittenBeforeTheReturn) {
  const Judgement judgement = judgement_of(writing_forward("0", R"(
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (int64_t i = 0; i < x.numel(); ++i) y.data_ptr<float>()[i] = 1;
  }).detach();)"));
  EXPECT_EQ(label(judgement), "cheat (late_write)") << judgement.reason;
}

TEST_F(OutArguments, AreTheOnlyTensorsThatMayBeWritten) {
  const Judgement input = judgement_of(writing_forward("x.size(0)", "x.data_ptr<float>()[0] = 7;"));
  EXPECT_EQ(label(input), "cheat (input_mutation)") << input.reason;
  const Judgement beyond =
      judgement_of(writing_forward("x.size(0)", "y.data_ptr<float>()[y.numel()] = 7;"));
  EXPECT_EQ(label(beyond), "cheat (out_of_bounds_write)") << beyond.reason;
}

TEST_F(OutArguments, AreNotReturned) {
  const Judgement judgement =
      judgement_of(writing_forward("x.size(0)", "", "return y;", "torch::Tensor"));
  EXPECT_EQ(to_string(judgement.verdict), "wrong_result");
  EXPECT_THAT(judgement.reason, HasSubstr("Its last arguments are its outputs (y, sums)"));
}

TEST_F(OutArguments, ArePartOfTheSignature) {
  std::string source = writing_forward();
  source.replace(source.rfind("torch::Tensor y, "), 17, "");
  source.replace(source.find("write(x, y, sums)"), 17, "write(x, sums, sums)");
  const Judgement judgement = judgement_of(source);
  EXPECT_EQ(to_string(judgement.verdict), "load_error");
  EXPECT_THAT(judgement.reason, HasSubstr("forward(x: tensor, y: tensor, sums: tensor)"));
}

TEST_F(OutArguments, AreTheSameOnAGpu) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  const KernelRecord right = evaluate(Direction::forward, Device::cuda, cuda_kernel("x.size(0)"),
                                      {Stage::compile, Stage::test, Stage::sanitize});
  EXPECT_EQ(to_string(right.judgement.verdict), "pass") << right.judgement.reason;
  const KernelRecord wrong =
      evaluate(Direction::forward, Device::cuda, cuda_kernel("x.size(0) - 1"));
  EXPECT_EQ(to_string(wrong.judgement.verdict), "wrong_result") << wrong.judgement.reason;
}

TEST_F(OutArguments, OfOtherShapesAreTheTasksFault) {
  TaskRegistry tasks;
  const Task& task = tasks.add(squares_task(m_directory.path(), 1));
  const KernelSource kernel{.entry = {"squares", Direction::forward},
                            .name = "kernel",
                            .sources = {write("kernel.cpp", writing_forward())}};
  Evaluator evaluator(m_manifest, task, Direction::forward, Device::cpu,
                      usual_evaluator_options(Device::cpu));
  try {
    (void)evaluator.submit(kernel,
                           {.scope = {.seeds = 1}, .stages = {Stage::compile, Stage::test}});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("output 'sums' has the shape (3), and out_arguments says "
                                        "(4)"));
  }
}

}  // namespace
}  // namespace robust_kbench
