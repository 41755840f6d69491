#include <robust_kbench/task.hpp>

#include <ATen/ops/sum.h>

namespace robust_kbench::tasks {
namespace {

std::vector<std::int64_t> shape(const Params& params) {
  return {params.integer("rows"), params.integer("columns")};
}

Cost cost(const Params& params) {
  const auto rows = static_cast<double>(params.integer("rows"));
  const auto elements = rows * static_cast<double>(params.integer("columns"));
  return {.flops = elements, .bytes = 4.0 * (elements + rows)};
}

}  // namespace

Task row_sum() {
  return {
      .name = "row_sum",
      .summary = "The sum of each row.",
      .defaults = {{"rows", std::int64_t{8}}, {"columns", std::int64_t{64}}},
      .weights = [](const Params&) { return std::vector<TensorSpec>{}; },
      .inputs =
          [](const Params& params) {
            return std::vector<TensorSpec>{{"x", shape(params), uniform(0.0, 1.0)}};
          },
      .forward = [](const Tensors& tensors,
                    const Params&) { return at::sum(tensors["x"], at::IntArrayRef{1}); },
      .forward_contract = {.arguments =
                               [](const Params&) { return std::vector<Argument>{tensor("x")}; },
                           .outputs = {{"y"}},
                           .cost = cost},
      .backward_contract =
          Contract{.arguments =
                       [](const Params&) {
                         return std::vector<Argument>{tensor("grad_output"), parameter("columns")};
                       },
                   .outputs = {{"x"}},
                   .cost = cost},
  };
}

}  // namespace robust_kbench::tasks
