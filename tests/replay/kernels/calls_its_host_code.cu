#include "affine.cuh"

namespace {
void nothing(void*) {}
}  // namespace

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  affine(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2, 1);
  check(cudaLaunchHostFunc(nullptr, nothing, nullptr));
  return y;
}

MODULE
