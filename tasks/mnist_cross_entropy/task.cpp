#include <algorithm>

#include <robust_kbench/task.hpp>

#include <ATen/ops/cross_entropy_loss.h>

namespace robust_kbench::tasks {
namespace {

std::vector<TensorSpec> inputs(const Params& params) {
  const std::int64_t batch = params.integer("batch_size");
  const std::int64_t classes = params.integer("num_classes");
  return {{"predictions", {batch, classes}, normal()}, {"targets", {batch}, integers(0, classes)}};
}

// The loss is a scalar, the mean over the batch.
at::Tensor forward(const Tensors& tensors, const Params&) {
  return at::cross_entropy_loss(tensors["predictions"], tensors["targets"]);
}

// A prediction costs a maximum, a subtraction, an exponential and an addition. Targets are int64.
Cost forward_cost(const Params& params) {
  const auto batch = static_cast<double>(params.integer("batch_size"));
  const auto elements = batch * static_cast<double>(params.integer("num_classes"));
  return {.flops = 4.0 * elements, .bytes = 4.0 * elements + 8.0 * batch + 4.0};
}

// The work of forward, and a multiplication by dy / (batch * sum).
Cost backward_cost(const Params& params) {
  const auto batch = static_cast<double>(params.integer("batch_size"));
  const auto elements = batch * static_cast<double>(params.integer("num_classes"));
  return {.flops = 5.0 * elements, .bytes = 8.0 * elements + 8.0 * batch + 4.0};
}

// The mean divides by the batch: its gradients would be 1e-6, below the absolute tolerance.
Distribution grad_output(const Params& params) {
  return normal(0.0, static_cast<double>(params.integer("batch_size")));
}

// Exponentials of a row, and the mean over the batch.
std::vector<std::int64_t> forward_sums(const Params& params) {
  return {std::max(params.integer("num_classes"), params.integer("batch_size"))};
}

std::vector<std::int64_t> backward_sums(const Params& params) {
  return {params.integer("num_classes")};
}

std::vector<Argument> forward_arguments(const Params&) {
  return {tensor("predictions"), tensor("targets")};
}

std::vector<Argument> backward_arguments(const Params&) {
  return {tensor("grad_output"), tensor("predictions"), tensor("targets")};
}

Shapes shapes() {
  return {.sizes = {{"batch_size", 1, 4097}, {"num_classes", 2, 1025}}};
}

}  // namespace

Task mnist_cross_entropy() {
  return {
      .name = "mnist_cross_entropy",
      .summary = "Mean cross entropy of class predictions (logits) and target classes.",
      .defaults = {{"batch_size", std::int64_t{4096}}, {"num_classes", std::int64_t{10}}},
      .inputs = inputs,
      .forward = forward,
      .forward_contract = {.arguments = forward_arguments,
                           .outputs = {{"loss"}},
                           .cost = forward_cost,
                           .longest_sums = forward_sums},
      .backward_contract = Contract{.arguments = backward_arguments,
                                    .outputs = {{"predictions"}},
                                    .cost = backward_cost,
                                    .grad_output = grad_output,
                                    .longest_sums = backward_sums},
      .shapes = shapes(),
      .domain = Domain{},
  };
}

}  // namespace robust_kbench::tasks
