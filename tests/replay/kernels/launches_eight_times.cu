#include "affine.cuh"

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = affine_in_eight_kernels(x);
  check(cudaDeviceSynchronize());
  return y;
}

MODULE
