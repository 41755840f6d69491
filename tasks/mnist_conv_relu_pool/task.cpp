#include <algorithm>

#include <robust_kbench/kink.hpp>
#include <robust_kbench/task.hpp>

#include <ATen/ops/conv2d.h>
#include <ATen/ops/max_pool2d.h>

namespace robust_kbench::tasks {
namespace {

std::vector<std::int64_t> weight_shape(const Params& params) {
  const std::int64_t kernel_size = params.integer("kernel_size");
  return {params.integer("out_channels"), params.integer("in_channels"), kernel_size, kernel_size};
}

std::vector<TensorSpec> weights(const Params& params) {
  return {{"weights", weight_shape(params),
           initialization(params.text("init_method"), weight_shape(params))},
          {"biases", {params.integer("out_channels")}, normal(0.0, 0.1)}};
}

std::vector<TensorSpec> inputs(const Params& params) {
  return {{"x",
           {params.integer("batch_size"), params.integer("in_channels"), params.integer("height"),
            params.integer("width")},
           normal()}};
}

at::Tensor convolved(const Tensors& tensors) {
  return at::conv2d(tensors["x"], tensors["weights"], tensors["biases"]);
}

at::Tensor forward(const Tensors& tensors, const Params&) {
  return at::max_pool2d(convolved(tensors).relu(), {2, 2});
}

// ReLU decides at 0. Which element of a window wins matters only where the winner is positive.
at::Tensor near_kink(const Tensors& tensors, const Params&) {
  const at::Tensor activations = convolved(tensors);
  const at::Tensor greatest = greatest_of_windows(activations);
  const auto near = [&](const at::Tensor& near_relu, const at::Tensor& near_tie) {
    return near_relu.logical_or(near_tie.logical_and(greatest.gt(0)));
  };
  if (activations.scalar_type() == at::kFloat) {
    return near(near_zero(greatest), near_pooling_tie(activations));
  }
  const at::Tensor in_float32 = convolved(as_float32(tensors));
  return near(near_zero(greatest, greatest_of_windows(in_float32)),
              near_pooling_tie(activations, in_float32));
}

struct Sizes {
  double x;       // elements
  double filter;  // elements of one output channel's weights
  double weights;
  double channels;
  double pooled;  // elements of the output; each needs four points of the convolution
};

Sizes sizes_of(const Params& params) {
  const std::vector<std::int64_t> w = weight_shape(params);
  const std::int64_t batch = params.integer("batch_size");
  const std::int64_t height = params.integer("height");
  const std::int64_t width = params.integer("width");
  const std::int64_t pooled = (height - w[2] + 1) / 2 * ((width - w[3] + 1) / 2);
  return {.x = static_cast<double>(batch * w[1] * height * width),
          .filter = static_cast<double>(w[1] * w[2] * w[3]),
          .weights = static_cast<double>(w[0] * w[1] * w[2] * w[3]),
          .channels = static_cast<double>(w[0]),
          .pooled = static_cast<double>(batch * w[0] * pooled)};
}

// Per output: four dot products of a filter, four biases, three maxima, one ReLU.
Cost forward_cost(const Params& params) {
  const Sizes s = sizes_of(params);
  return {.flops = s.pooled * (8.0 * s.filter + 8.0),
          .bytes = 4.0 * (s.x + s.weights + s.channels + s.pooled)};
}

// The forward is computed again, since only its inputs are handed over. Each gradient of an output
// then goes through one point of the convolution. There it reaches a filter's worth of dx and of
// dw, and one bias.
Cost backward_cost(const Params& params) {
  const Sizes s = sizes_of(params);
  return {.flops = s.pooled * (12.0 * s.filter + 9.0),
          .bytes = 4.0 * (2.0 * s.x + 2.0 * s.weights + 2.0 * s.channels + s.pooled)};
}

std::vector<std::int64_t> forward_sums(const Params& params) {
  return {static_cast<std::int64_t>(sizes_of(params).filter)};
}

// dx adds over the output channels of a filter, dw and db over the windows of all images.
std::vector<std::int64_t> backward_sums(const Params& params) {
  const Sizes s = sizes_of(params);
  const auto windows = static_cast<std::int64_t>(s.pooled / s.channels);
  const std::int64_t kernel_size = params.integer("kernel_size");
  return {params.integer("out_channels") * kernel_size * kernel_size, windows, windows};
}

std::vector<Argument> forward_arguments(const Params&) {
  return {tensor("x"), tensor("weights"), tensor("biases")};
}

std::vector<Argument> backward_arguments(const Params&) {
  return {tensor("x"), tensor("weights"), tensor("biases"), tensor("grad_output")};
}

// What is pooled has a window at least.
bool is_valid(const Params& params) {
  const std::int64_t smallest = std::min(params.integer("height"), params.integer("width"));
  return smallest - params.integer("kernel_size") + 1 >= 2;
}

Shapes shapes() {
  return {.sizes = {{"batch_size", 1, 129},
                    {"in_channels", 1, 33},
                    {"height", 2, 65},
                    {"width", 2, 65},
                    {"out_channels", 1, 65},
                    {"kernel_size", 1, 7}},
          .valid = is_valid,
          .choices = {{"kernel_size",
                       {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{4},
                        std::int64_t{5}, std::int64_t{7}}}}};
}

}  // namespace

Task mnist_conv_relu_pool() {
  return {
      .name = "mnist_conv_relu_pool",
      .summary = "Convolution, ReLU and 2 x 2 max pooling of an MNIST classifier.",
      .defaults = {{"batch_size", std::int64_t{64}},
                   {"in_channels", std::int64_t{1}},
                   {"height", std::int64_t{28}},
                   {"width", std::int64_t{28}},
                   {"out_channels", std::int64_t{32}},
                   {"kernel_size", std::int64_t{3}},
                   {"init_method", std::string("normal")}},
      .weights = weights,
      .inputs = inputs,
      .forward = forward,
      // robust-kbench takes a stride and always convolves with 1.
      .forward_contract = {.arguments = forward_arguments,
                           .outputs = {{"y"}},
                           .cost = forward_cost,
                           .ignored_keys = {"stride"},
                           .longest_sums = forward_sums},
      .backward_contract = Contract{.arguments = backward_arguments,
                                    .outputs = {{"x"}, {"weights"}, {"biases"}},
                                    .cost = backward_cost,
                                    .ignored_keys = {"stride"},
                                    .longest_sums = backward_sums},
      .near_kink = near_kink,
      .shapes = shapes(),
      .domain =
          Domain{.inapplicable = {{Probe::masked, "nothing of it is exponentiated or chosen"},
                                  {Probe::large_logits, "nothing of it is exponentiated"},
                                  {Probe::general_weights,
                                   "weights and biases are drawn at random in every config"}}},
  };
}

}  // namespace robust_kbench::tasks
