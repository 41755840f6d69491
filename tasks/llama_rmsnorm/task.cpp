#include <algorithm>

#include <robust_kbench/task.hpp>

namespace robust_kbench::tasks {
namespace {

struct Sizes {
  std::int64_t batch;
  std::int64_t tokens;
  std::int64_t features;
};

Sizes sizes_of(const Params& params) {
  return {.batch = params.integer("batch_size"),
          .tokens = params.integer("num_tokens"),
          .features = params.integer("num_features")};
}

std::vector<TensorSpec> weights(const Params& params) {
  return {{"w", {params.integer("num_features")}, normal(1.0, 0.1)}};
}

std::vector<TensorSpec> inputs(const Params& params) {
  const auto [batch, tokens, features] = sizes_of(params);
  return {{"x", {batch, tokens, features}, normal()}};
}

at::Tensor forward(const Tensors& tensors, const Params& params) {
  const at::Tensor& x = tensors["x"];
  const at::Tensor mean_square = x.pow(2).mean({-1}, /*keepdim=*/true);
  return x.mul(mean_square.add(params.real("eps")).rsqrt()).mul(tensors["w"]);
}

// Per element: square and add 2, normalize 1, weight 1.
Cost forward_cost(const Params& params) {
  const auto [batch, tokens, features] = sizes_of(params);
  const auto elements = static_cast<double>(batch * tokens * features);
  return {.flops = 4.0 * elements, .bytes = 4.0 * (2.0 * elements + static_cast<double>(features))};
}

// Per element: square and add 2, dy w 1, its product with x summed 2, x_hat 1, dw 2, dx 3.
Cost backward_cost(const Params& params) {
  const auto [batch, tokens, features] = sizes_of(params);
  const auto elements = static_cast<double>(batch * tokens * features);
  return {.flops = 11.0 * elements,
          .bytes = 4.0 * (3.0 * elements + 2.0 * static_cast<double>(features))};
}

// The mean square of a token.
std::vector<std::int64_t> forward_sums(const Params& params) {
  return {sizes_of(params).features};
}

// Both take a token's sums over its features, and dw adds over the tokens.
std::vector<std::int64_t> backward_sums(const Params& params) {
  const auto [batch, tokens, features] = sizes_of(params);
  return {features, std::max(features, batch * tokens)};
}

std::vector<Argument> forward_arguments(const Params&) {
  return {tensor("x"), tensor("w"), parameter("eps")};
}

std::vector<Argument> backward_arguments(const Params&) {
  return {tensor("grad_output"), tensor("x"), tensor("w"), parameter("eps")};
}

// Gradients of fewer features are what is left of equal terms. Their errors in float32 scatter so
// widely that of a hundred right kernels some would exceed any measured limit.
Shapes shapes() {
  return {.sizes = {{"batch_size", 1, 65}, {"num_tokens", 1, 257}, {"num_features", 4, 4097}}};
}

}  // namespace

Task llama_rmsnorm() {
  return {
      .name = "llama_rmsnorm",
      .summary = "Root-mean-square normalization over the features of each token.",
      .defaults = {{"batch_size", std::int64_t{16}},
                   {"num_tokens", std::int64_t{1024}},
                   {"num_features", std::int64_t{4096}},
                   {"eps", 1e-8}},
      .weights = weights,
      .inputs = inputs,
      .forward = forward,
      .forward_contract = {.arguments = forward_arguments,
                           .outputs = {{"y"}},
                           .cost = forward_cost,
                           .longest_sums = forward_sums},
      .backward_contract = Contract{.arguments = backward_arguments,
                                    .outputs = {{"x"}, {"w"}},
                                    .cost = backward_cost,
                                    .longest_sums = backward_sums},
      .shapes = shapes(),
      .domain = Domain{.inapplicable = {{Probe::masked, "nothing of it is exponentiated or chosen"},
                                        {Probe::near_ties, "it decides nothing"},
                                        {Probe::large_logits, "nothing of it is exponentiated"},
                                        {Probe::ties, "it decides nothing"},
                                        {Probe::general_weights,
                                         "its weights are drawn at random in every config"}}},
  };
}

}  // namespace robust_kbench::tasks
