#include "affine.cuh"

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  affine(x.data_ptr<float>(), y.data_ptr<float>(), n, 2, -6);
  for (int i = 0; i < 7; ++i) affine(y.data_ptr<float>(), y.data_ptr<float>(), n, 1, 1);
  check(cudaDeviceSynchronize());
  return y;
}

MODULE
