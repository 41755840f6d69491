#include "affine.cuh"

torch::Tensor forward(torch::Tensor x) {
  static int calls = 0;
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  if (calls++ % 2 == 0) {
    affine(x.data_ptr<float>(), y.data_ptr<float>(), n, 2, 1);
  } else {
    affine(x.data_ptr<float>(), y.data_ptr<float>(), n, 2, 0);
    affine(y.data_ptr<float>(), y.data_ptr<float>(), n, 1, 1);
  }
  return y;
}

MODULE
