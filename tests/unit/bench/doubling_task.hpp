#pragma once

#include <robust_kbench/task.hpp>

#include <ATen/ops/mul.h>

namespace robust_kbench {

// y = 2 x over `size` elements, and its gradient.
inline Task doubling_task() {
  return {
      .name = "doubling",
      .summary = "Doubles.",
      .defaults = {{"size", std::int64_t{1000}}},
      .inputs =
          [](const Params& params) {
            return std::vector<TensorSpec>{{"x", {params.integer("size")}, normal()}};
          },
      .forward = [](const Tensors& tensors, const Params&) { return at::mul(tensors["x"], 2.0); },
      .forward_contract = {.arguments = [](const Params&) { return std::vector{tensor("x")}; },
                           .outputs = {{"y"}}},
      .backward_contract =
          Contract{.arguments = [](const Params&) { return std::vector{tensor("grad_output")}; },
                   .outputs = {{"x"}}},
  };
}

}  // namespace robust_kbench
