#include "tensor/reference.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

namespace robust_kbench {
namespace {

std::vector<at::Tensor> run_forward(const Task& task, const Params& params, const Tensors& tensors,
                                    at::ScalarType dtype) {
  const c10::AutoGradMode no_grad(false);
  return {task.forward(as_dtype(tensors, dtype), params).contiguous()};
}

std::vector<at::Tensor> run_backward(const Task& task, const Params& params, const Tensors& tensors,
                                     at::ScalarType dtype) {
  const c10::AutoGradMode with_grad(true);
  Tensors copies = as_dtype(tensors, dtype);
  std::vector<at::Tensor> leaves;
  for (const Output& output : task.backward_contract->outputs) {
    // A leaf of its own, so that no gradient stays behind in the caller's tensor.
    leaves.push_back(copies[output.name].detach().set_requires_grad(true));
    copies.set(output.name, leaves.back());
  }
  task.forward(copies, params)
      .backward(copies["grad_output"], /*retain_graph=*/false, /*create_graph=*/false, leaves);
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& leaf : leaves) {
    const at::Tensor& gradient = leaf.grad();
    gradients.push_back(gradient.defined() ? gradient.contiguous() : at::zeros_like(leaf));
  }
  return gradients;
}

std::vector<at::Tensor> run(const Task& task, Direction direction, const Params& params,
                            const Tensors& tensors, at::ScalarType dtype) {
  contract(task, direction);  // throws where there is none
  return direction == Direction::forward ? run_forward(task, params, tensors, dtype)
                                         : run_backward(task, params, tensors, dtype);
}

bool on_gpu(const Tensors& tensors) {
  return std::any_of(tensors.all().begin(), tensors.all().end(), [](const auto& named) {
    return named.second.defined() && named.second.is_cuda();
  });
}

}  // namespace

Tensors as_dtype(const Tensors& tensors, at::ScalarType dtype) {
  Tensors converted;
  for (const auto& [name, tensor] : tensors.all()) {
    const bool convert = tensor.defined() && tensor.is_floating_point();
    converted.set(name, convert ? tensor.to(dtype) : tensor);
  }
  return converted;
}

std::vector<at::Tensor> reference(const Task& task, Direction direction, const Params& params,
                                  const Tensors& tensors) {
  if (!on_gpu(tensors)) return run(task, direction, params, tensors, at::kDouble);
  prepare_gpu_references();
  return with_gpu_memory([&] { return run(task, direction, params, tensors, at::kDouble); });
}

std::vector<at::Tensor> eager(const Task& task, Direction direction, const Params& params,
                              const Tensors& tensors) {
  if (!on_gpu(tensors)) return run(task, direction, params, tensors, at::kFloat);
  return with_gpu_memory([&] { return run(task, direction, params, tensors, at::kFloat); });
}

const Contract& contract(const Task& task, Direction direction) {
  if (direction == Direction::forward) return task.forward_contract;
  if (!task.backward_contract) {
    throw UserError("task '" + task.name + "' has no backward; use --direction forward");
  }
  return *task.backward_contract;
}

}  // namespace robust_kbench
