#include <robust_kbench/task.hpp>

#include <ATen/ops/max_pool2d.h>

namespace robust_kbench::tasks {
namespace {

std::vector<TensorSpec> inputs(const Params& params) {
  return {{"x",
           {params.integer("batch_size"), params.integer("in_channels"), params.integer("height"),
            params.integer("width")},
           normal()}};
}

at::Tensor forward(const Tensors& tensors, const Params&) {
  return at::max_pool2d(tensors["x"], {2, 2});
}

struct Sizes {
  double x;  // elements
  double y;
};

Sizes sizes_of(const Params& params) {
  const std::int64_t planes = params.integer("batch_size") * params.integer("in_channels");
  const std::int64_t height = params.integer("height");
  const std::int64_t width = params.integer("width");
  return {.x = static_cast<double>(planes * height * width),
          .y = static_cast<double>(planes * (height / 2) * (width / 2))};
}

Cost forward_cost(const Params& params) {
  const auto [x, y] = sizes_of(params);
  return {.flops = 3.0 * y, .bytes = 4.0 * (x + y)};
}

Cost backward_cost(const Params& params) {
  const auto [x, y] = sizes_of(params);
  return {.flops = 3.0 * y, .bytes = 4.0 * (2.0 * x + y)};
}

// Nothing is added, in either direction.
std::vector<std::int64_t> longest_sums(const Params&) {
  return {1};
}

std::vector<Argument> forward_arguments(const Params&) {
  return {tensor("x")};
}

// The saved tensors arrive as they are: a tuple of one.
std::vector<Argument> backward_arguments(const Params&) {
  return {tensor_tuple({"x"}), tensor("grad_output")};
}

Shapes shapes() {
  return {
      .sizes = {
          {"batch_size", 1, 65}, {"in_channels", 1, 129}, {"height", 2, 257}, {"width", 2, 257}}};
}

}  // namespace

Task mnist_pool() {
  return {
      .name = "mnist_pool",
      .summary = "Max pooling over 2 x 2 windows with stride 2.",
      .defaults = {{"batch_size", std::int64_t{64}},
                   {"in_channels", std::int64_t{64}},
                   {"height", std::int64_t{28}},
                   {"width", std::int64_t{28}}},
      .inputs = inputs,
      .forward = forward,
      // robust-kbench takes a kernel_size and always pools 2 x 2.
      .forward_contract = {.arguments = forward_arguments,
                           .outputs = {{"y"}},
                           .cost = forward_cost,
                           .ignored_keys = {"kernel_size"},
                           .longest_sums = longest_sums},
      .backward_contract = Contract{.arguments = backward_arguments,
                                    .outputs = {{"x"}},
                                    .cost = backward_cost,
                                    .ignored_keys = {"kernel_size"},
                                    .longest_sums = longest_sums},
      .shapes = shapes(),
      .domain = Domain{.inapplicable = {{Probe::large_logits, "nothing of it is exponentiated"},
                                        {Probe::repeated_row, "no result is a sum over rows"}},
                       .chooses_among_inputs = true},
  };
}

}  // namespace robust_kbench::tasks
