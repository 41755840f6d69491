#include <algorithm>

#include <robust_kbench/task.hpp>

#include <ATen/ops/layer_norm.h>

namespace robust_kbench::tasks {
namespace {

std::vector<std::int64_t> normalized_shape(const Params& params) {
  return {params.integer("num_features"), params.integer("dim1"), params.integer("dim2")};
}

std::vector<std::int64_t> input_shape(const Params& params) {
  return {params.integer("batch_size"), params.integer("num_features"), params.integer("dim1"),
          params.integer("dim2")};
}

std::vector<TensorSpec> weights(const Params& params) {
  const bool random = params.text("init_method", {"random", "standard"}) == "random";
  return {{"weight", normalized_shape(params), random ? normal() : constant(1.0, 0.5)},
          {"bias", normalized_shape(params), random ? normal() : constant(0.0, 0.5)}};
}

std::vector<TensorSpec> inputs(const Params& params) {
  return {{"x", input_shape(params), normal()}};
}

at::Tensor forward(const Tensors& tensors, const Params& params) {
  return at::layer_norm(tensors["x"], normalized_shape(params), tensors["weight"], tensors["bias"],
                        params.real("eps"));
}

struct Sizes {
  double rows;
  double row;  // elements of one normalized row
};

Sizes sizes_of(const Params& params) {
  const std::vector<std::int64_t> shape = input_shape(params);
  return {.rows = static_cast<double>(shape[0]),
          .row = static_cast<double>(shape[1] * shape[2] * shape[3])};
}

// Per element: mean 1, squared deviation 3, normalize 2, affine 2.
Cost forward_cost(const Params& params) {
  const auto [rows, row] = sizes_of(params);
  return {.flops = 8.0 * rows * row, .bytes = 4.0 * (2.0 * rows * row + 2.0 * row)};
}

// Per element: statistics 4, x_hat 2, dweight 2, dbias 1, dy * weight 1, its two row sums 3, dx 5.
Cost backward_cost(const Params& params) {
  const auto [rows, row] = sizes_of(params);
  return {.flops = 18.0 * rows * row, .bytes = 4.0 * (3.0 * rows * row + 3.0 * row)};
}

std::int64_t elements_of_row(const Params& params) {
  return static_cast<std::int64_t>(sizes_of(params).row);
}

// The moments of a row.
std::vector<std::int64_t> forward_sums(const Params& params) {
  return {elements_of_row(params)};
}

// dx and dweight take a row's moments, dweight and dbias add over the batch.
std::vector<std::int64_t> backward_sums(const Params& params) {
  const std::int64_t batch = params.integer("batch_size");
  const std::int64_t row = elements_of_row(params);
  return {row, std::max(row, batch), batch};
}

std::vector<Argument> forward_arguments(const Params&) {
  return {tensor("x"), tensor("weight"), tensor("bias"), parameter("eps")};
}

std::vector<Argument> backward_arguments(const Params& params) {
  return {tensor("grad_output"), tensor("x"),      tensor("weight"),
          tensor("bias"),        parameter("eps"), integer_list(normalized_shape(params))};
}

// Gradients of shorter rows are what is left of equal terms. Their errors in float32 scatter so
// widely that of a hundred right kernels some would exceed any measured limit.
constexpr std::int64_t least_row = 8;

bool is_valid(const Params& params) {
  return elements_of_row(params) >= least_row;
}

Shapes shapes() {
  return {.sizes = {{"batch_size", 1, 257},
                    {"num_features", 1, 257},
                    {"dim1", 1, 257},
                    {"dim2", 1, 1025}},
          .valid = is_valid};
}

}  // namespace

Task layernorm() {
  return {
      .name = "layernorm",
      .summary = "Layer normalization of each sample over all of its features.",
      .defaults = {{"batch_size", std::int64_t{16}},
                   {"num_features", std::int64_t{64}},
                   {"dim1", std::int64_t{256}},
                   {"dim2", std::int64_t{256}},
                   {"eps", 1e-5},
                   {"init_method", std::string("standard")}},
      .weights = weights,
      .inputs = inputs,
      .forward = forward,
      .forward_contract = {.arguments = forward_arguments,
                           .outputs = {{"y"}},
                           .cost = forward_cost,
                           .longest_sums = forward_sums},
      .backward_contract = Contract{.arguments = backward_arguments,
                                    .outputs = {{"x"}, {"weight"}, {"bias"}},
                                    .cost = backward_cost,
                                    .longest_sums = backward_sums},
      .shapes = shapes(),
      .domain = Domain{.inapplicable = {{Probe::masked, "nothing of it is exponentiated or chosen"},
                                        {Probe::near_ties, "it decides nothing"},
                                        {Probe::large_logits, "nothing of it is exponentiated"},
                                        {Probe::ties, "it decides nothing"}}},
  };
}

}  // namespace robust_kbench::tasks
