#pragma once

#include <robust_kbench/task.hpp>

namespace robust_kbench {

// A task with an argument of each kind: y = scale * x + shift, where shift may be missing. Its
// backward takes x and shift as a tuple.
inline Task scaling_task() {
  Task task;
  task.name = "scaling";
  task.summary = "Scales and shifts.";
  task.defaults = {{"n", std::int64_t{4}}, {"scale", 2.0}, {"shifted", true}};
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{{"x", {params.integer("n"), 3}, normal()}};
  };
  task.weights = [](const Params& params) {
    return std::vector<TensorSpec>{params.boolean("shifted") ? TensorSpec{"shift", {3}, normal()}
                                                             : absent("shift")};
  };
  task.forward_contract = {
      .arguments =
          [](const Params&) {
            return std::vector<Argument>{tensor("x"), tensor("shift"), parameter("scale")};
          },
      .outputs = {{"y"}}};
  task.backward_contract =
      Contract{.arguments =
                   [](const Params& params) {
                     return std::vector<Argument>{tensor("grad_output"),
                                                  tensor_tuple({"x", "shift"}), parameter("scale"),
                                                  integer_list({params.integer("n"), 3})};
                   },
               .outputs = {{"x"}, {"shift"}}};
  task.shapes = Shapes{.sizes = {{"n", 1, 129, 4}}};
  return task;
}

inline const char* const scaling_reference =
    "def forward(x, shift, scale):\n"
    "    return scale * x + shift\n\n\n"
    "def backward(\n"
    "    grad_output,\n"
    "    saved,\n"
    "    scale,\n"
    "    shape,\n"
    "):\n"
    "    pass\n";

}  // namespace robust_kbench
