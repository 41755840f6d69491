#include "../../common/cuda/check.cuh"
#include "../../common/cuda/reduce.cuh"

// loss = mean over samples of log(sum(exp(p))) - p[target]. A mean over all samples needs all
// blocks, and a second launch for it costs as much as everything else. So the blocks form a cluster
// of 8, which the hardware runs together. Each leaves its sum in the first one's shared memory.
// After a cluster barrier the first block adds eight numbers, in order, without atomics or memory
// to clear. Beyond 512 samples there are several clusters and a small second kernel.

namespace {

constexpr int kWarps = 8;
constexpr int kClusterBlocks = 8;
constexpr int kClusterRows = 512;

// A warp per sample. The target's logit is picked up on the way rather than loaded by address,
// which would be one more trip to memory.
__device__ float sample_loss(const float* logits, int64_t target, int classes) {
  const int lane = threadIdx.x % 32;
  float greatest = -INFINITY;
  for (int i = lane; i < classes; i += 32) greatest = fmaxf(greatest, logits[i]);
  greatest = kernels::warp_max(greatest);
  float sum = 0.0f;
  float picked = 0.0f;
  for (int i = lane; i < classes; i += 32) {
    const float distance = logits[i] - greatest;
    sum += __expf(distance);
    if (i == target) picked = distance;
  }
  return __logf(kernels::warp_sum(sum)) - kernels::warp_sum(picked);
}

__global__ void __cluster_dims__(kClusterBlocks, 1, 1) __launch_bounds__(32 * kWarps)
    loss_kernel(const float* __restrict__ predictions, const int64_t* __restrict__ targets,
                int64_t rows, int classes, float scale, float* __restrict__ sums) {
  __shared__ float of_warp[kWarps];
  __shared__ float of_block[kClusterBlocks];
  const int block = blockIdx.x % kClusterBlocks;
  const int64_t first = static_cast<int64_t>(blockIdx.x / kClusterBlocks) * kClusterRows;
  const int64_t end = min(first + kClusterRows, rows);
  const int warp = threadIdx.x / 32;
  __cluster_barrier_arrive();
  float loss = 0.0f;
#pragma unroll 2
  for (int64_t row = first + warp * kClusterBlocks + block; row < end;
       row += kWarps * kClusterBlocks) {
    loss += sample_loss(predictions + row * classes, targets[row], classes);
  }
  if (threadIdx.x % 32 == 0) of_warp[warp] = loss;
  __syncthreads();
  // Another block's shared memory may be written once that block has started.
  __cluster_barrier_wait();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < kWarps; ++i) sum += of_warp[i];
    auto* of_first_block = static_cast<float*>(__cluster_map_shared_rank(of_block, 0));
    of_first_block[block] = sum;
  }
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (block != 0 || threadIdx.x != 0) return;
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kClusterBlocks; ++i) sum += of_block[i];
  sums[blockIdx.x / kClusterBlocks] = sum * scale;
}

__global__ void __launch_bounds__(32 * kWarps)
    add_kernel(const float* __restrict__ from, int count, float* __restrict__ to) {
  float sum[1] = {};
  for (int i = threadIdx.x; i < count; i += 32 * kWarps) sum[0] += from[i];
  kernels::block_sum<kWarps>(sum);
  if (threadIdx.x == 0) *to = sum[0];
}

}  // namespace

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
  CHECK_CUDA_FLOAT(predictions);
  TORCH_CHECK(
      targets.is_cuda() && targets.scalar_type() == torch::kInt64 && targets.is_contiguous(),
      "targets must be a contiguous int64 tensor on a GPU");
  TORCH_CHECK(
      predictions.dim() == 2 && targets.dim() == 1 && predictions.size(0) == targets.size(0),
      "predictions (batch, classes) and targets (batch) must agree in `batch`");
  const int64_t rows = predictions.size(0);
  const int classes = predictions.size(1);
  TORCH_CHECK(rows > 0 && classes > 0, "the mean of no samples is not defined");

  const c10::cuda::CUDAGuard guard(predictions.device());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  torch::Tensor loss = torch::empty({}, predictions.options());
  const int clusters = kernels::ceil_div<int64_t>(rows, kClusterRows);
  torch::Tensor sums = clusters == 1 ? loss : torch::empty({clusters}, predictions.options());
  loss_kernel<<<clusters * kClusterBlocks, 32 * kWarps, 0, stream>>>(
      predictions.data_ptr<float>(), targets.data_ptr<int64_t>(), rows, classes,
      1.0f / static_cast<float>(rows), sums.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  if (clusters > 1) {
    add_kernel<<<1, 32 * kWarps, 0, stream>>>(sums.data_ptr<float>(), clusters,
                                              loss.data_ptr<float>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Mean cross entropy (one thread block cluster)");
}
