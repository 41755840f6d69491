#include "baseline/baseline_worker.hpp"

#include <memory>
#include <optional>

#include "baseline/baseline_subject.hpp"
#include "ipc/arena.hpp"
#include "ipc/worker_descriptors.hpp"
#include "runner/serve.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/relu.h>
#include <torch/csrc/autograd/autograd.h>

namespace robust_kbench {
namespace {

// Torch's first operators and its first backward pass start thread pools and the like. All workers
// of a timer do so here at the same time, while the tests of the kernel run.
void warm_up_torch(bool gpu) {
  if (gpu) load_torch_cuda();
  const auto options = at::TensorOptions().device(gpu ? c10::kCUDA : c10::kCPU);
  const at::Tensor x = at::ones({64, 64}, options).requires_grad_();
  const at::Tensor y = at::relu(at::mm(x, x));
  torch::autograd::grad({y}, {x}, {at::ones_like(y)});
}

}  // namespace

int baseline_worker(const std::vector<Task>& tasks, bool gpu) {
  with_gpu_memory([gpu] { warm_up_torch(gpu); });
  Arena arena = Arena::attach(worker_descriptors::arena,
                              gpu ? std::optional(worker_descriptors::gpu_memory) : std::nullopt);
  const std::unique_ptr<Subject> subject = make_baseline_subject(tasks, arena);
  return serve(worker_descriptors::channel, arena, *subject);
}

}  // namespace robust_kbench
