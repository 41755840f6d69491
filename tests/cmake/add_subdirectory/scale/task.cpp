#include <robust_kbench/task.hpp>

#include <ATen/ops/mul.h>

namespace robust_kbench::tasks {

Task scale() {
  return {
      .name = "scale",
      .summary = "A weight of one element times the input.",
      .defaults = {{"count", std::int64_t{100}}},
      .weights =
          [](const Params&) {
            return std::vector<TensorSpec>{{"weight", {1}, normal()}};
          },
      .inputs =
          [](const Params& params) {
            return std::vector<TensorSpec>{{"x", {params.integer("count")}, normal()}};
          },
      .forward = [](const Tensors& tensors,
                    const Params&) { return at::mul(tensors["x"], tensors["weight"]); },
      .forward_contract = {.arguments =
                               [](const Params&) {
                                 return std::vector<Argument>{tensor("x"), tensor("weight")};
                               },
                           .outputs = {{"y"}},
                           .cost =
                               [](const Params& params) {
                                 const auto count = static_cast<double>(params.integer("count"));
                                 return Cost{.flops = count, .bytes = 8.0 * count};
                               }},
  };
}

}  // namespace robust_kbench::tasks
