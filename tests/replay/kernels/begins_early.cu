#include "affine.cuh"

namespace {

__global__ void first(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  if (i < n) y[i] = 2 * x[i];
}

__global__ void second(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaGridDependencySynchronize();
  if (i < n) y[i] += 1;
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  first<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  cudaLaunchConfig_t config{};
  config.gridDim = (n + 255) / 256;
  config.blockDim = 256;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, second, y.data_ptr<float>(), n));
  return y;
}

MODULE
