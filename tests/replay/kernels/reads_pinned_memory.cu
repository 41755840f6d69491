#include "affine.cuh"

namespace {

__global__ void by_pinned(const float* x, float* y, int n, const float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = values[0] * x[i] + values[1];
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  static float* values = nullptr;
  if (values == nullptr) {
    check(cudaMallocHost(&values, 2 * sizeof(float)));
    values[0] = 2;
    values[1] = 1;
  }
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  by_pinned<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, values);
  return y;
}

MODULE
