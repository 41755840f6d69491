#include <algorithm>

#include <robust_kbench/task.hpp>

#include <ATen/ops/linear.h>
#include <ATen/ops/silu.h>

namespace robust_kbench::tasks {
namespace {

struct Sizes {
  std::int64_t batch;
  std::int64_t tokens;
  std::int64_t features;
  std::int64_t up;
};

Sizes sizes_of(const Params& params) {
  return {.batch = params.integer("batch_size"),
          .tokens = params.integer("num_tokens"),
          .features = params.integer("num_features"),
          .up = params.integer("up_features")};
}

std::vector<TensorSpec> weights(const Params& params) {
  const auto [batch, tokens, features, up] = sizes_of(params);
  return {{"gate_proj", {up, features}, kaiming_uniform({up, features})},
          {"up_proj", {up, features}, kaiming_uniform({up, features})},
          {"down_proj", {features, up}, kaiming_uniform({features, up})}};
}

std::vector<TensorSpec> inputs(const Params& params) {
  const auto [batch, tokens, features, up] = sizes_of(params);
  return {{"x", {batch, tokens, features}, normal()}};
}

at::Tensor forward(const Tensors& tensors, const Params&) {
  const at::Tensor gate = at::silu(at::linear(tensors["x"], tensors["gate_proj"]));
  const at::Tensor up = at::linear(tensors["x"], tensors["up_proj"]);
  return at::linear(gate.mul(up), tensors["down_proj"]);
}

// Three products; SiLU (negate, exp, add, divide) and the gate's product are 5 per hidden element.
Cost forward_cost(const Params& params) {
  const auto [batch, tokens, features, up] = sizes_of(params);
  const double rows = static_cast<double>(batch * tokens);
  const double matrix = static_cast<double>(features * up);
  return {.flops = 6.0 * rows * matrix + 5.0 * rows * static_cast<double>(up),
          .bytes = 4.0 * (2.0 * rows * static_cast<double>(features) + 3.0 * matrix)};
}

// The products up add over the features, the product down over the hidden ones.
std::vector<std::int64_t> forward_sums(const Params& params) {
  const auto [batch, tokens, features, up] = sizes_of(params);
  return {std::max(features, up)};
}

std::vector<Argument> forward_arguments(const Params&) {
  return {tensor("x"), tensor("gate_proj"), tensor("up_proj"), tensor("down_proj")};
}

Shapes shapes() {
  return {.sizes = {{"batch_size", 1, 9},
                    {"num_tokens", 1, 257},
                    {"num_features", 1, 1025},
                    {"up_features", 1, 2049}}};
}

}  // namespace

Task llama_ffw() {
  return {
      .name = "llama_ffw",
      .summary = "Gated feed-forward block of LLaMA: (silu(x G^T) * (x U^T)) D^T.",
      .defaults = {{"batch_size", std::int64_t{16}},
                   {"num_tokens", std::int64_t{1024}},
                   {"num_features", std::int64_t{4096}},
                   {"up_features", std::int64_t{14336}}},
      .weights = weights,
      .inputs = inputs,
      .forward = forward,
      .forward_contract = {.arguments = forward_arguments,
                           .outputs = {{"y"}},
                           .cost = forward_cost,
                           .longest_sums = forward_sums},
      .shapes = shapes(),
      .domain = Domain{.inapplicable = {{Probe::masked, "nothing of it is exponentiated or chosen"},
                                        {Probe::near_ties, "it decides nothing"},
                                        {Probe::ties, "it decides nothing"},
                                        {Probe::repeated_row, "no result is a sum over rows"},
                                        {Probe::general_weights,
                                         "its weights are drawn at random in every config"}}},
  };
}

}  // namespace robust_kbench::tasks
