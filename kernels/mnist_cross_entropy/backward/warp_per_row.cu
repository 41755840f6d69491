#include "../../common/cuda/check.cuh"
#include "../../common/cuda/reduce.cuh"

// Gradient of loss = mean cross entropy: dp = (softmax(p) - one_hot(target)) grad_output / batch.
// Each sample has a warp, which shuffles for its maximum and sum. A sample's later reads hit the
// first-level cache. grad_output is read on the GPU, where it is needed, so the host never waits.

namespace {

constexpr int kWarps = 4;

__global__ void __launch_bounds__(32 * kWarps)
    backward_kernel(const float* __restrict__ grad_output, const float* __restrict__ predictions,
                    const int64_t* __restrict__ targets, int64_t rows, int classes,
                    float* __restrict__ dp) {
  const int64_t row = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / 32;
  if (row >= rows) return;
  const int lane = threadIdx.x % 32;
  const float* logits = predictions + row * classes;
  const int64_t target = targets[row];
  const float upstream = *grad_output;
  float greatest = -INFINITY;
#pragma unroll 4
  for (int i = lane; i < classes; i += 32) greatest = fmaxf(greatest, logits[i]);
  greatest = kernels::warp_max(greatest);
  float sum = 0.0f;
#pragma unroll 4
  for (int i = lane; i < classes; i += 32) sum += __expf(logits[i] - greatest);
  const float scale = __fdiv_rn(upstream, static_cast<float>(rows));
  const float share = __fdiv_rn(scale, kernels::warp_sum(sum));
#pragma unroll 4
  for (int i = lane; i < classes; i += 32) {
    const float softmax = __expf(logits[i] - greatest) * share;
    dp[row * classes + i] = i == target ? softmax - scale : softmax;
  }
}

}  // namespace

torch::Tensor backward(torch::Tensor grad_output, torch::Tensor predictions,
                       torch::Tensor targets) {
  CHECK_CUDA_FLOAT(grad_output);
  CHECK_CUDA_FLOAT(predictions);
  TORCH_CHECK(
      targets.is_cuda() && targets.scalar_type() == torch::kInt64 && targets.is_contiguous(),
      "targets must be a contiguous int64 tensor on a GPU");
  TORCH_CHECK(grad_output.numel() == 1, "grad_output must have one element");
  TORCH_CHECK(
      predictions.dim() == 2 && targets.dim() == 1 && predictions.size(0) == targets.size(0),
      "predictions (batch, classes) and targets (batch) must agree in `batch`");
  const int64_t rows = predictions.size(0);
  const int classes = predictions.size(1);

  const c10::cuda::CUDAGuard guard(predictions.device());
  torch::Tensor dp = torch::empty_like(predictions);
  if (dp.numel() == 0) return dp;
  backward_kernel<<<kernels::ceil_div<int64_t>(rows, kWarps), 32 * kWarps, 0,
                    at::cuda::getCurrentCUDAStream()>>>(
      grad_output.data_ptr<float>(), predictions.data_ptr<float>(), targets.data_ptr<int64_t>(),
      rows, classes, dp.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return dp;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward, "Gradient of mean cross entropy (a warp per sample)");
}
