#include <cuda_pipeline.h>

#include "../../exploits/cuda/honest_linear.cuh"

constexpr int chunk = 64;

// Copies the next part of a row to shared memory by cp.async while it adds up this one.
__global__ void pipelined_kernel(Linear l) {
  __shared__ float stages[2][chunk];
  const int row = blockIdx.x;
  const auto copy = [&](int first, float* stage) {
    const int k = first + threadIdx.x;
    if (threadIdx.x < chunk && k < l.in) {
      __pipeline_memcpy_async(stage + threadIdx.x, l.x + row * l.in + k, sizeof(float));
    }
    __pipeline_commit();
  };
  double sum = threadIdx.x < l.out ? l.biases[threadIdx.x] : 0.0;
  copy(0, stages[0]);
  for (int first = 0; first < l.in; first += chunk) {
    const int stage = first / chunk % 2;
    copy(first + chunk, stages[1 - stage]);
    __pipeline_wait_prior(1);
    __syncthreads();
    const int count = min(chunk, l.in - first);
    for (int k = 0; k < count && threadIdx.x < l.out; ++k) {
      sum += double{stages[stage][k]} * l.weights[threadIdx.x * l.in + first + k];
    }
    __syncthreads();
  }
  if (threadIdx.x < l.out) l.y[row * l.out + threadIdx.x] = static_cast<float>(sum);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  TORCH_CHECK(weights.size(0) <= block_threads, "too many outputs for one block");
  const Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  pipelined_kernel<<<l.rows, block_threads, 0, at::cuda::getCurrentCUDAStream()>>>(l);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
