#include <robust_kbench/task.hpp>

namespace robust_kbench::tasks {
namespace {

std::vector<TensorSpec> inputs(const Params& params) {
  return {{"x", {params.integer("rows"), params.integer("columns")}, normal()}};
}

// Returns the outputs in the order of the contract below.
OutputTensors forward(const Tensors& tensors, const Params& params) {
  const at::Tensor& x = tensors["x"];
  const at::Tensor mean = x.mean(1);
  const at::Tensor variance = (x - mean.unsqueeze(1)).square().mean(1);
  return std::vector<at::Tensor>{mean, variance + params.real("eps")};
}

std::vector<Argument> arguments(const Params&) {
  return {tensor("x"), parameter("eps")};
}

Cost cost(const Params& params) {
  const auto rows = static_cast<double>(params.integer("rows"));
  const double elements = rows * static_cast<double>(params.integer("columns"));
  return {.flops = 4.0 * elements, .bytes = 4.0 * elements + 8.0 * rows};
}

}  // namespace

Task moments() {
  return {
      .name = "moments",
      .summary = "Mean and variance of each row.",
      .defaults = {{"rows", std::int64_t{64}}, {"columns", std::int64_t{256}}, {"eps", 1e-5}},
      .inputs = inputs,
      .forward = forward,
      .forward_contract = {.arguments = arguments,
                           .outputs = {{"mean"}, {"variance"}},
                           .cost = cost},
  };
}

}  // namespace robust_kbench::tasks
