#include "affine.cuh"

namespace {

constexpr int kBytes = 100 << 10;

__global__ void staged(const float* x, float* y, int n) {
  extern __shared__ float tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* last = tile + kBytes / 4 - 256;
  last[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) y[i] = 2 * last[threadIdx.x] + 1;
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  check(cudaFuncSetAttribute(staged, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  staged<<<(n + 255) / 256, 256, kBytes>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

MODULE
