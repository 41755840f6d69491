#include "tensor/reference.hpp"

#include <chrono>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/Context.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

namespace robust_kbench {
namespace {

constexpr std::chrono::seconds gpu_patience{60};
constexpr std::chrono::milliseconds gpu_pause{250};

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

// cuDNN's float64 convolutions ask for tens of gigabytes; torch's own are matrix products.
class WithoutCudnn {
 public:
  WithoutCudnn() { at::globalContext().setUserEnabledCuDNN(false); }
  ~WithoutCudnn() { at::globalContext().setUserEnabledCuDNN(m_before); }
  WithoutCudnn(const WithoutCudnn&) = delete;
  WithoutCudnn& operator=(const WithoutCudnn&) = delete;

 private:
  const bool m_before = at::globalContext().userEnabledCuDNN();
};

// Waits for memory of the GPU that other processes have: they may be gone soon.
template <typename Work>
auto with_patience(const Work& work) {
  const auto deadline = std::chrono::steady_clock::now() + gpu_patience;
  while (true) {
    try {
      return work();
    } catch (const c10::OutOfMemoryError& error) {
      if (std::chrono::steady_clock::now() > deadline) {
        throw HarnessError(std::string("no memory for the reference: ") +
                           error.what_without_backtrace());
      }
    }
    give_back_gpu_memory();
    std::this_thread::sleep_for(gpu_pause);
  }
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
  const WithoutCudnn without_cudnn;
  return with_patience([&] { return run(task, direction, params, tensors, at::kDouble); });
}

std::vector<at::Tensor> eager(const Task& task, Direction direction, const Params& params,
                              const Tensors& tensors) {
  return with_patience([&] { return run(task, direction, params, tensors, at::kFloat); });
}

const Contract& contract(const Task& task, Direction direction) {
  if (direction == Direction::forward) return task.forward_contract;
  if (!task.backward_contract) {
    throw UserError("task '" + task.name + "' has no backward; use --direction forward");
  }
  return *task.backward_contract;
}

}  // namespace robust_kbench
