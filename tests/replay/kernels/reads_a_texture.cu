#include "affine.cuh"

namespace {

__global__ void by_texture(cudaTextureObject_t texture, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * tex1Dfetch<float>(texture, i) + 1;
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = x.data_ptr<float>();
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  check(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  by_texture<<<(n + 255) / 256, 256>>>(texture, y.data_ptr<float>(), n);
  check(cudaDeviceSynchronize());
  check(cudaDestroyTextureObject(texture));
  return y;
}

MODULE
