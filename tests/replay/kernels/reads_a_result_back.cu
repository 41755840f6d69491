#include "affine.cuh"

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  affine(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2, 0);
  float first = 0;
  check(cudaMemcpy(&first, y.data_ptr<float>(), sizeof first, cudaMemcpyDeviceToHost));
  affine(y.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 1, first == first ? 1 : 2);
  return y;
}

MODULE
