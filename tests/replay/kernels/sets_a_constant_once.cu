#include "affine.cuh"

namespace {

__device__ float factors[2];

__global__ void by_pointer(const float* x, float* y, int n, const float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = values[0] * x[i] + factors[1];
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  static float* address = nullptr;
  if (address == nullptr) {
    const float values[2] = {2, 1};
    check(cudaMemcpyToSymbol(factors, values, sizeof values));
    check(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), factors));
  }
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  by_pointer<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, address);
  return y;
}

MODULE
