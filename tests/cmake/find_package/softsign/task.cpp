#include <robust_kbench/task.hpp>

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
            const at::Tensor& x = tensors["x"];
            return x / (1 + x.abs());
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
