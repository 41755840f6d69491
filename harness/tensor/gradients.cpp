#include "tensor/gradients.hpp"

#include <utility>

#include "core/seed.hpp"
#include "tensor/call_forward.hpp"
#include "tensor/generator.hpp"
#include "tensor/parallel.hpp"

#include <c10/core/GradMode.h>

namespace robust_kbench {

namespace {

void mask(const Workload& workload, const Tensors& tensors, at::ScalarType precision) {
  if (!workload.task.near_kink) return;
  const c10::AutoGradMode no_grad(false);
  const std::vector<IncomingGradient> gradients = incoming_gradients(workload.task);
  const std::vector<at::Tensor> near_kink =
      call_near_kink(workload.task, workload.params, tensors, precision);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (near_kink[i].defined()) tensors[gradients[i].name].masked_fill_(near_kink[i], 0.0);
  }
}

}  // namespace

std::vector<TensorSpec> gradient_specs(const Workload& workload, const Tensors& tensors) {
  const c10::AutoGradMode no_grad(false);
  const auto& [task, direction, params] = workload;
  const std::vector<at::Tensor> outputs = call_forward(task, params, tensors);
  const auto& distribution = workload.contract().grad_output;
  std::vector<TensorSpec> specs;
  for (IncomingGradient& gradient : incoming_gradients(task)) {
    TensorSpec& spec = specs.emplace_back();
    spec.name = std::move(gradient.name);
    spec.shape = outputs[gradient.output].sizes().vec();
    spec.dtype = task.forward_contract.outputs[gradient.output].dtype;
    if (distribution) spec.distribution = distribution(params);
  }
  return specs;
}

void mask_gradients(const Workload& workload, const Tensors& tensors) {
  mask(workload, tensors, at::kDouble);
}

void mask_gradients_of_batch(const Workload& workload, std::span<const Tensors> calls) {
  if (calls.empty() || !workload.task.near_kink) return;
  const auto count = static_cast<std::int64_t>(calls.size());
  const bool on_gpu = calls.front()[incoming_gradients(workload.task).front().name].is_cuda();
  const std::int64_t calls_per_thread = on_gpu ? count : 1;
  in_parallel(count, calls_per_thread, [&](std::int64_t begin, std::int64_t end) {
    for (; begin < end; ++begin) mask(workload, calls[static_cast<std::size_t>(begin)], at::kFloat);
  });
}

void add_gradients(const Workload& workload, std::uint64_t seed, c10::Device device,
                   NearKinks near_kinks, Tensors& tensors) {
  for (const TensorSpec& spec : gradient_specs(workload, tensors)) {
    tensors.set(spec.name, generate(spec, tensor_key(workload.task.name, spec.name, seed), device));
  }
  if (near_kinks == NearKinks::masked) mask_gradients(workload, tensors);
}

}  // namespace robust_kbench
