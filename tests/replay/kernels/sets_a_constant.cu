#include "affine.cuh"

namespace {

__constant__ float factors[2];

__global__ void by_constant(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factors[0] * x[i] + factors[1];
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  const float values[2] = {2, 1};
  check(cudaMemcpyToSymbol(factors, values, sizeof values));
  by_constant<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

MODULE
