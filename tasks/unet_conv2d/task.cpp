#include <algorithm>

#include <robust_kbench/task.hpp>

#include <ATen/ops/conv2d.h>

namespace robust_kbench::tasks {
namespace {

std::vector<std::int64_t> weight_shape(const Params& params) {
  const std::int64_t kernel_size = params.integer("kernel_size");
  return {params.integer("out_channels"), params.integer("in_channels"), kernel_size, kernel_size};
}

std::vector<std::int64_t> input_shape(const Params& params) {
  return {params.integer("batch_size"), params.integer("in_channels"), params.integer("height"),
          params.integer("width")};
}

std::vector<TensorSpec> weights(const Params& params) {
  return {{"weights", weight_shape(params),
           initialization(params.text("init_method"), weight_shape(params))},
          {"biases", {params.integer("out_channels")}, normal(0.0, params.real("bias_stddev"))}};
}

std::vector<TensorSpec> inputs(const Params& params) {
  return {{"x", input_shape(params), normal()}};
}

at::Tensor forward(const Tensors& tensors, const Params& params) {
  return at::conv2d(tensors["x"], tensors["weights"], tensors["biases"], params.integer("stride"),
                    params.integer("padding"));
}

// Per output element: the dot product of a filter, and its bias.
Cost forward_cost(const Params& params) {
  const std::vector<std::int64_t> w = weight_shape(params);
  const std::vector<std::int64_t> x = input_shape(params);
  const auto positions = [&](std::int64_t size) {
    return (size + 2 * params.integer("padding") - w[2]) / params.integer("stride") + 1;
  };
  const std::int64_t y = x[0] * w[0] * positions(x[2]) * positions(x[3]);
  const std::int64_t filter = w[1] * w[2] * w[3];
  return {.flops = static_cast<double>(y) * static_cast<double>(2 * filter + 1),
          .bytes = 4.0 * static_cast<double>(x[0] * x[1] * x[2] * x[3] + w[0] * filter + w[0] + y)};
}

// The terms of a filter.
std::vector<std::int64_t> longest_sums(const Params& params) {
  const std::int64_t kernel_size = params.integer("kernel_size");
  return {params.integer("in_channels") * kernel_size * kernel_size};
}

std::vector<Argument> arguments(const Params&) {
  return {tensor("x"), tensor("weights"), tensor("biases"), parameter("stride"),
          parameter("padding")};
}

// Padding is at most half of the filter, which fits into the padded image.
bool is_valid(const Params& params) {
  const std::int64_t padding = params.integer("padding");
  const std::int64_t kernel_size = params.integer("kernel_size");
  const std::int64_t smallest = std::min(params.integer("height"), params.integer("width"));
  return 2 * padding <= kernel_size && smallest + 2 * padding >= kernel_size;
}

Shapes shapes() {
  return {
      .sizes = {{"batch_size", 1, 33},
                {"in_channels", 1, 257},
                {"out_channels", 1, 129},
                {"height", 1, 65},
                {"width", 1, 65},
                {"kernel_size", 1, 7},
                {"stride", 1, 3},
                {"padding", 0, 3}},
      .valid = is_valid,
      .choices = {
          {"kernel_size",
           {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{5}, std::int64_t{7}}},
          {"stride", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}},
          {"padding", {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}}}};
}

}  // namespace

Task unet_conv2d() {
  return {
      .name = "unet_conv2d",
      .summary = "Two-dimensional convolution of a U-Net.",
      // A kernel might leave out robust-kbench's biases unseen, which are all 0. So bias_stddev is
      // ours. Its padding defaults to half the kernel size. Here a config with another one states
      // both.
      .defaults = {{"batch_size", std::int64_t{16}},
                   {"in_channels", std::int64_t{64}},
                   {"height", std::int64_t{32}},
                   {"width", std::int64_t{32}},
                   {"out_channels", std::int64_t{64}},
                   {"kernel_size", std::int64_t{3}},
                   {"stride", std::int64_t{1}},
                   {"padding", std::int64_t{1}},
                   {"init_method", std::string("xavier")},
                   {"bias_stddev", 0.0}},
      .weights = weights,
      .inputs = inputs,
      .forward = forward,
      .forward_contract = {.arguments = arguments,
                           .outputs = {{"y"}},
                           .cost = forward_cost,
                           .longest_sums = longest_sums},
      .shapes = shapes(),
      .domain = Domain{.inapplicable = {{Probe::masked, "nothing of it is exponentiated or chosen"},
                                        {Probe::near_ties, "it decides nothing"},
                                        {Probe::large_logits, "nothing of it is exponentiated"},
                                        {Probe::ties, "it decides nothing"},
                                        {Probe::repeated_row, "no result is a sum over rows"}}},
  };
}

}  // namespace robust_kbench::tasks
