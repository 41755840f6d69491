#include "affine.cuh"

torch::Tensor forward(torch::Tensor x) {
  static float* temporary = nullptr;
  const int n = x.numel();
  if (temporary == nullptr) check(cudaMalloc(&temporary, n * sizeof(float)));
  torch::Tensor y = torch::empty_like(x);
  affine(x.data_ptr<float>(), temporary, n, 2, 0);
  affine(temporary, y.data_ptr<float>(), n, 1, 1);
  return y;
}

MODULE
