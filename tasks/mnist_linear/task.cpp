#include <robust_kbench/task.hpp>

#include <ATen/ops/linear.h>

namespace robust_kbench::tasks {
namespace {

struct Sizes {
  std::int64_t batch;
  std::int64_t in;
  std::int64_t out;
};

Sizes sizes_of(const Params& params) {
  return {.batch = params.integer("batch_size"),
          .in = params.integer("num_input_features"),
          .out = params.integer("num_output_features")};
}

std::vector<TensorSpec> weights(const Params& params) {
  const auto [batch, in, out] = sizes_of(params);
  return {{"weights", {out, in}, initialization(params.text("init_method"), {out, in})},
          {"biases", {out}, normal(0.0, 0.1)}};
}

std::vector<TensorSpec> inputs(const Params& params) {
  const auto [batch, in, out] = sizes_of(params);
  return {{"x", {batch, in}, normal()}};
}

at::Tensor forward(const Tensors& tensors, const Params&) {
  return at::linear(tensors["x"], tensors["weights"], tensors["biases"]);
}

// x W^T is 2 batch in out; the bias adds one per output.
Cost forward_cost(const Params& params) {
  const auto [batch, in, out] = sizes_of(params);
  return {.flops = 2.0 * batch * in * out + 1.0 * batch * out,
          .bytes = 4.0 * (batch * in + out * in + out + batch * out)};
}

// dy W and dy^T x are 2 batch in out each; the bias gradient sums dy.
Cost backward_cost(const Params& params) {
  const auto [batch, in, out] = sizes_of(params);
  return {.flops = 4.0 * batch * in * out + 1.0 * batch * out,
          .bytes = 4.0 * (batch * out + 2.0 * batch * in + 2.0 * out * in + out)};
}

// A dot product over the input features.
std::vector<std::int64_t> forward_sums(const Params& params) {
  return {sizes_of(params).in};
}

// dy W adds over the output features, dy^T x and the bias gradient over the batch.
std::vector<std::int64_t> backward_sums(const Params& params) {
  const auto [batch, in, out] = sizes_of(params);
  return {out, batch, batch};
}

std::vector<Argument> forward_arguments(const Params&) {
  return {tensor("x"), tensor("weights"), tensor("biases")};
}

std::vector<Argument> backward_arguments(const Params&) {
  return {tensor("grad_output"), tensor("x"), tensor("weights")};
}

Shapes shapes() {
  return {.sizes = {{"batch_size", 1, 257},
                    {"num_input_features", 1, 1025},
                    {"num_output_features", 1, 1025}}};
}

}  // namespace

Task mnist_linear() {
  return {
      .name = "mnist_linear",
      .summary = "Linear layer of an MNIST classifier: x W^T + b.",
      .defaults = {{"batch_size", std::int64_t{16}},
                   {"num_input_features", std::int64_t{4096}},
                   {"num_output_features", std::int64_t{4096}},
                   {"init_method", std::string("normal")}},
      .weights = weights,
      .inputs = inputs,
      .forward = forward,
      .forward_contract = {.arguments = forward_arguments,
                           .outputs = {{"y"}},
                           .cost = forward_cost,
                           .longest_sums = forward_sums},
      .backward_contract = Contract{.arguments = backward_arguments,
                                    .outputs = {{"x"}, {"weights"}, {"biases"}},
                                    .cost = backward_cost,
                                    .longest_sums = backward_sums},
      .shapes = shapes(),
      .domain =
          Domain{.inapplicable = {{Probe::masked, "nothing of it is exponentiated or chosen"},
                                  {Probe::near_ties, "it decides nothing"},
                                  {Probe::large_logits, "nothing of it is exponentiated"},
                                  {Probe::ties, "it decides nothing"},
                                  {Probe::general_weights,
                                   "weights and biases are drawn at random in every config"}}},
  };
}

}  // namespace robust_kbench::tasks
