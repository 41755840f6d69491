#include <cooperative_groups.h>

#include "affine.cuh"

namespace {

__global__ void twice(const float* x, float* y, int n) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    y[n - 1 - i] = 2 * x[n - 1 - i];
  cooperative_groups::this_grid().sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) y[i] += 1;
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  int n = x.numel();
  void* arguments[] = {&from, &to, &n};
  check(
      cudaLaunchCooperativeKernel(reinterpret_cast<void*>(&twice), 64, 256, arguments, 0, nullptr));
  return y;
}

MODULE
