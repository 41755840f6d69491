#include "affine.cuh"

namespace {

__global__ void add_twice(const float* x, const float* copy, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i] + copy[i] + 1;
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  torch::Tensor copy = torch::empty_like(x);
  const int n = x.numel();
  check(cudaMemsetAsync(y.data_ptr<float>(), 0, n * sizeof(float)));
  check(cudaMemcpyAsync(copy.data_ptr<float>(), x.data_ptr<float>(), n * sizeof(float),
                        cudaMemcpyDeviceToDevice));
  add_twice<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), copy.data_ptr<float>(),
                                      y.data_ptr<float>(), n);
  return y;
}

MODULE
