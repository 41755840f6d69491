#include "affine.cuh"

torch::Tensor forward(torch::Tensor x) {
  static torch::Tensor workspace;
  const int n = x.numel();
  if (!workspace.defined()) workspace = torch::empty_like(x);
  torch::Tensor y = torch::empty_like(x);
  affine(x.data_ptr<float>(), workspace.data_ptr<float>(), n, 2, 0);
  affine(workspace.data_ptr<float>(), y.data_ptr<float>(), n, 1, 1);
  return y;
}

MODULE
