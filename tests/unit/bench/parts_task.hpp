#pragma once

#include <robust_kbench/task.hpp>

#include <ATen/ops/mul.h>

namespace robust_kbench {

// Three outputs: 2 x, x^2 and whether x is positive, which has no gradient.
inline Task parts_task() {
  return {
      .name = "parts",
      .summary = "Doubles, squares and tells the sign.",
      .defaults = {{"size", std::int64_t{1000}}},
      .inputs =
          [](const Params& params) {
            return std::vector<TensorSpec>{{"x", {params.integer("size")}, normal()}};
          },
      .forward =
          [](const Tensors& tensors, const Params&) {
            const at::Tensor& x = tensors["x"];
            return std::vector<at::Tensor>{at::mul(x, 2.0), at::mul(x, x), x.gt(0)};
          },
      .forward_contract = {.arguments = [](const Params&) { return std::vector{tensor("x")}; },
                           .outputs = {{"doubled"},
                                       {"squared"},
                                       {.name = "positive", .dtype = at::kBool}}},
      .backward_contract =
          Contract{
              .arguments =
                  [](const Params&) {
                    return std::vector{tensor("grad_doubled"), tensor("grad_squared"), tensor("x")};
                  },
              .outputs = {{"x"}}},
  };
}

}  // namespace robust_kbench
