#include <robust_kbench/task.hpp>

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/div.h>

namespace robust_kbench::tasks {

Task softsign() {
  return {
      .name = "softsign",
      .summary = "x / (1 + |x|), element by element.",
      .defaults = {{"count", std::int64_t{1024}}},
      .weights = [](const Params&) { return std::vector<TensorSpec>{}; },
      .inputs =
          [](const Params& params) {
            return std::vector<TensorSpec>{{"x", {params.integer("count")}, normal()}};
          },
      .forward =
          [](const Tensors& tensors, const Params&) {
            return at::div(tensors["x"], at::add(at::abs(tensors["x"]), 1.0));
          },
      .forward_contract = {.arguments =
                               [](const Params&) { return std::vector<Argument>{tensor("x")}; },
                           .outputs = {{"y"}},
                           .cost =
                               [](const Params& params) {
                                 const auto count = static_cast<double>(params.integer("count"));
                                 return Cost{.flops = 3.0 * count, .bytes = 8.0 * count};
                               }},
  };
}

}  // namespace robust_kbench::tasks
