#include "linear_task.hpp"

#include <string>

#include <ATen/ops/linear.h>

namespace robust_kbench {
namespace {

struct Shape {
  std::int64_t rows;
  std::int64_t in;
  std::int64_t out;
};

std::vector<TensorSpec> weights(const Params& params) {
  const std::vector<std::int64_t> shape{params.integer("out"), params.integer("in")};
  return {{"weights", shape, kaiming_uniform(shape)}, {"biases", {shape[0]}, normal()}};
}

std::vector<TensorSpec> inputs(const Params& params) {
  return {{"x", {params.integer("rows"), params.integer("in")}, normal()}};
}

at::Tensor forward(const Tensors& tensors, const Params&) {
  return at::linear(tensors["x"], tensors["weights"], tensors["biases"]);
}

Contract contract_of(const std::vector<std::string>& arguments,
                     const std::vector<Output>& outputs) {
  return {.arguments =
              [arguments](const Params&) {
                std::vector<Argument> tensors;
                for (const std::string& name : arguments) tensors.push_back(tensor(name));
                return tensors;
              },
          .outputs = outputs};
}

}  // namespace

Task linear_task() {
  return {
      .name = "linear",
      .summary = "x W^T + b.",
      .defaults = {{"rows", std::int64_t{1}}, {"in", std::int64_t{1}}, {"out", std::int64_t{1}}},
      .weights = weights,
      .inputs = inputs,
      .forward = forward,
      .forward_contract = contract_of({"x", "weights", "biases"}, {{"y"}}),
      .backward_contract = contract_of({"grad_output", "x", "weights"}, {{"x"}, {"weights"}})};
}

std::vector<Case> linear_cases() {
  std::vector<Case> cases;
  for (const auto& [rows, in, out] : {Shape{3, 5, 7}, Shape{2, 300, 33}, Shape{16, 64, 16}}) {
    cases.push_back({.config = {.name = "small/rows_" + std::to_string(rows) + ".in_" +
                                        std::to_string(in) + ".out_" + std::to_string(out),
                                .params = {{"rows", rows}, {"in", in}, {"out", out}}},
                     .seed = 1});
  }
  return cases;
}

}  // namespace robust_kbench
