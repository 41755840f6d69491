#include <string>

#include "core/error.hpp"
#include "task_in_directory.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

// One element of each row, and `factor` times the sum of each row: two outputs, and an input of
// int32.
Task rows_task(double factor, const std::string& directory) {
  Task task;
  task.name = "rows";
  task.defaults = {{"rows", std::int64_t{1}}, {"columns", std::int64_t{1}}};
  task.inputs = [](const Params& params) {
    const std::int64_t rows = params.integer("rows");
    const std::int64_t columns = params.integer("columns");
    return std::vector<TensorSpec>{{"x", {rows, columns}, normal()},
                                   {"index", {rows}, integers(0, columns), true, at::kInt}};
  };
  task.forward = [factor](const Tensors& tensors, const Params&) {
    const at::Tensor& x = tensors["x"];
    const at::Tensor index = tensors["index"].to(at::kLong).unsqueeze(1);
    return std::vector<at::Tensor>{x.gather(1, index).squeeze(1), x.sum(1).mul(factor)};
  };
  task.forward_contract.arguments = [](const Params&) {
    return std::vector<Argument>{tensor("x"), tensor("index")};
  };
  task.forward_contract.outputs = {{"picked"}, {"sums"}};
  task.backward_contract =
      Contract{.arguments =
                   [](const Params&) {
                     return std::vector<Argument>{tensor("grad_picked"), tensor("grad_sums"),
                                                  tensor("x"), tensor("index")};
                   },
               .outputs = {{"x"}}};
  task.directory = directory;
  return task;
}

// `sums` and `picked` are the values that it writes for one row.
std::string forward_kernel(const std::string& picked, const std::string& sums) {
  return R"(#include <torch/extension.h>
std::vector<torch::Tensor> forward(torch::Tensor x, torch::Tensor index) {
  const int64_t rows = x.size(0);
  const int64_t columns = x.size(1);
  torch::Tensor picked = torch::empty({rows}, x.options());
  torch::Tensor sums = torch::empty({rows}, x.options());
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = x.data_ptr<float>() + r * columns;
    double sum = 0;
    for (int64_t c = 0; c < columns; ++c) sum += row[c];
    const float chosen = row[index.data_ptr<int>()[r]];
    picked.data_ptr<float>()[r] = )" +
         picked + R"(;
    sums.data_ptr<float>()[r] = )" +
         sums + R"(;
  }
  return {picked, sums};
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";
}

// `other` is the gradient of an element that was not picked.
std::string backward_kernel(const std::string& other) {
  return R"(#include <torch/extension.h>
torch::Tensor backward(torch::Tensor grad_picked, torch::Tensor grad_sums, torch::Tensor x,
                       torch::Tensor index) {
  const int64_t columns = x.size(1);
  torch::Tensor gradient = torch::empty({x.size(0), columns}, x.options());
  for (int64_t r = 0; r < x.size(0); ++r) {
    float* row = gradient.data_ptr<float>() + r * columns;
    const float of_sum = 3 * grad_sums.data_ptr<float>()[r];
    for (int64_t c = 0; c < columns; ++c) row[c] = )" +
         other + R"(;
    row[index.data_ptr<int>()[r]] += grad_picked.data_ptr<float>()[r];
  }
  return gradient;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("backward", &backward); }
)";
}

class RuntimeTask : public TaskInDirectory {
 protected:
  RuntimeTask()
      : TaskInDirectory(R"({"small_init_configs": [{}], "small_shared_configs": [{}],
        "small_input_configs": [{"rows": 3, "columns": 5}, {"rows": 17, "columns": 1}]})",
                        [](const std::string& directory) { return rows_task(3, directory); }) {}

  KernelRecord evaluate_source(Direction direction, const std::string& source) {
    return evaluate(direction, Device::cpu, source);
  }
};

TEST_F(RuntimeTask, PassesAKernelOfTwoOutputs) {
  const KernelRecord record =
      evaluate_source(Direction::forward, forward_kernel("chosen", "3 * sum"));
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
  ASSERT_EQ(record.cases.size(), 3);  // two configs and the sequence
  ASSERT_EQ(record.cases[0].errors.size(), 2);
  EXPECT_EQ(record.cases[0].errors[0].name, "picked");
  EXPECT_EQ(record.cases[0].errors[1].name, "sums");
}

TEST_F(RuntimeTask, RejectsOutputsInAnotherOrder) {
  const KernelRecord record =
      evaluate_source(Direction::forward, forward_kernel("3 * sum", "chosen"));
  EXPECT_EQ(to_string(record.judgement.verdict), "wrong_result");
  EXPECT_THAT(record.judgement.reason, HasSubstr("Output 'picked' is not close to the reference!"));
  EXPECT_THAT(record.judgement.reason, HasSubstr("Output 'sums' is not close to the reference!"));
}

TEST_F(RuntimeTask, PassesABackwardThroughBothOutputs) {
  const KernelRecord record = evaluate_source(Direction::backward, backward_kernel("of_sum"));
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
}

TEST_F(RuntimeTask, RejectsABackwardThroughOneOutput) {
  const KernelRecord record = evaluate_source(Direction::backward, backward_kernel("0"));
  EXPECT_EQ(to_string(record.judgement.verdict), "wrong_result");
  EXPECT_THAT(record.judgement.reason, HasSubstr("Output 'x' is not close to the reference!"));
}

}  // namespace
}  // namespace robust_kbench
